/**
 * Reads one HTTP/1 response as endpoints really send it. The status line decides whether a notification was taken, so everything after it is
 * read leniently: lines that end with LF alone, folded headers, control characters, both lengths. What is not strictly well-formed only
 * means that the connection is not used again. Nothing is kept but a kilobyte of the body.
 */

/** In bytes of everything that arrives: status lines, headers, chunk extensions, trailers and interim responses count as the body does. */
const readLimit = 16 * 1024;
/** In bytes of the body. */
const keepLimit = 1024;

const lf = 10;

// Three digits are enough: some servers send no reason, or HTTP/2 in the words of HTTP/1.
const statusLine = /^HTTP\/\d(?:\.\d)? +([1-9]\d\d)(?!\d)/;
const strictStatusLine = /^HTTP\/1\.1 \d{3}(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const strictHeader = /^[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*$/;
const chunkSize = /^([\da-f]{1,8})[ \t]*(?:;|$)/i;

/** How a first line may begin: HTTP, or a TLS server's alert or handshake. */
const http = "HTTP/";
const tlsRecords = ["\x15\x03", "\x16\x03"];

/** What is read next. Everything but the body is lines. */
type Part =
  | "status"
  | "headers"
  | "sized body"
  | "chunk size"
  | "chunk"
  | "chunk end"
  | "trailers"
  | "body until close";

/** How reading ended: with a status; or before one, in something that is not HTTP, or that a TLS server sent in clear. */
type ReadingEnd = "status" | "not http" | "tls";

export class ResponseReader {
  /** Undefined until a whole status line was read that is not of an interim response. */
  status: number | undefined;
  retryAfter: string | undefined;
  /** How long the server keeps the connection, in seconds, if it says so. */
  keepAliveSeconds: number | undefined;
  /** Undefined while more is to be read. */
  end: ReadingEnd | undefined;
  #part: Part = "status";
  /** The beginning of a line. */
  #line = "";
  /** Of the body or the chunk. */
  #bytesLeft = 0;
  #bytesRead = 0;
  #kept: Buffer | undefined;
  #keptBytes = 0;
  /** Whether everything so far was well-formed, and nothing says that the connection closes. */
  #isClean = true;
  #length: string | undefined;
  #encoding: string | undefined;

  /** Whether the connection may be used again: the response has ended, each byte of it was as it must be, and none came after it. */
  get isReusable(): boolean {
    return this.end === "status" && this.#isClean;
  }

  /** The first kilobyte of the body. Where the response is no HTTP, of all that came. */
  get text(): string | undefined {
    // PostgreSQL's text cannot hold NUL.
    return this.#kept?.toString("utf8", 0, this.#keptBytes).replaceAll("\0", "\uFFFD");
  }

  /** Takes what arrived, until `end` is set. */
  read(chunk: Buffer): void {
    const bytes = chunk.length > readLimit - this.#bytesRead ? chunk.subarray(0, readLimit - this.#bytesRead) : chunk;
    let at = 0;
    while (at < bytes.length && !this.end) at = this.#readPart(bytes, at);
    this.#bytesRead += bytes.length;
    if (at < chunk.length) this.#isClean = false;
    if (this.#bytesRead < readLimit || this.end) return;
    this.#takeUnfinishedStatus();
    if (this.status === undefined) this.#refuse(bytes, bytes.length);
    else this.#breakOff();
  }

  /** The connection has ended in order. That is the end of some responses; the others stay without one. */
  readEnd(): void {
    this.#takeUnfinishedStatus();
    if (this.#part === "body until close") this.#breakOff();
  }

  /** A status line whose end never came, but whose status did. */
  #takeUnfinishedStatus(): void {
    if (this.#part === "status") this.#takeStatus(this.#line);
  }

  #readPart(bytes: Buffer, at: number): number {
    const isBody = this.#part === "sized body" || this.#part === "chunk" || this.#part === "body until close";
    return isBody ? this.#readBody(bytes, at) : this.#readLine(bytes, at);
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = this.#part === "body until close" ? bytes.length : Math.min(bytes.length, at + this.#bytesLeft);
    this.#keep(bytes, at, end);
    this.#bytesLeft -= end - at;
    if (this.#bytesLeft === 0 && this.#part === "sized body") this.end = "status";
    if (this.#bytesLeft === 0 && this.#part === "chunk") this.#part = "chunk end";
    return end;
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lf, at);
    if (end < 0) {
      this.#line += bytes.toString("latin1", at);
      if (this.#part === "status" && !mayBeFirst(this.#line)) this.#refuse(bytes, bytes.length);
      return bytes.length;
    }
    const whole = this.#line + bytes.toString("latin1", at, end);
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    this.#line = "";
    if (line === whole) this.#isClean = false;
    if (this.#part !== "status") {
      this.#takeLine(line);
    } else if (!this.#takeStatus(line)) {
      this.#line = `${whole}\n`;
      this.#refuse(bytes, end + 1);
    }
    return end + 1;
  }

  #takeLine(line: string): void {
    if (this.#part === "headers") this.#takeHeader(line);
    else if (this.#part === "chunk size") this.#takeChunkSize(line);
    else if (this.#part === "trailers") this.#takeTrailer(line);
    else if (line === "") this.#part = "chunk size";
    else this.#breakOff();
  }

  #takeTrailer(line: string): void {
    if (line === "") this.end = "status";
    else if (!strictHeader.test(line)) this.#isClean = false;
  }

  /** @returns whether a response may begin with this line */
  #takeStatus(line: string): boolean {
    const digits = statusLine.exec(line)?.[1];
    if (!strictStatusLine.test(line)) this.#isClean = false;
    if (digits === undefined) return line === "";
    const status = Number(digits);
    // 101 is no interim response: what follows would be another protocol.
    if (status >= 200 || status === 101) this.status = status;
    this.#part = "headers";
    return true;
  }

  #takeHeader(line: string): void {
    if (line === "") {
      this.#endHead();
      return;
    }
    if (!strictHeader.test(line)) this.#isClean = false;
    if (this.status === undefined) return;
    const colon = line.indexOf(":");
    const value = () => line.slice(colon + 1).trim();
    switch (line.slice(0, colon).trimEnd().toLowerCase()) {
      case "content-length":
        if (this.#length !== undefined) this.#isClean = false;
        this.#length = this.#length === undefined || this.#length === value() ? value() : "several";
        return;
      case "transfer-encoding":
        if (this.#encoding !== undefined) this.#isClean = false;
        this.#encoding = value();
        return;
      case "connection":
        if (/\b(close|upgrade)\b/i.test(value())) this.#isClean = false;
        return;
      case "keep-alive":
        this.keepAliveSeconds = Number(/\btimeout=(\d+)/i.exec(value())?.[1] ?? Number.NaN);
        return;
      case "retry-after":
        this.retryAfter ??= value();
    }
  }

  #endHead(): void {
    const { status } = this;
    if (status === undefined) {
      this.#part = "status";
    } else if (status === 204 || status === 304 || status === 101) {
      // Some send a body even so. It would be taken for the next response.
      if ((this.#length ?? "0") !== "0" || this.#encoding !== undefined || status === 101) this.#isClean = false;
      this.end = "status";
    } else if (this.#encoding !== undefined) {
      if (this.#length !== undefined || !/^chunked$/i.test(this.#encoding)) this.#isClean = false;
      this.#part = /(^|[\s,])chunked$/i.test(this.#encoding) ? "chunk size" : "body until close";
    } else if (this.#length === undefined) {
      this.#part = "body until close";
    } else if (/^\d{1,15}$/.test(this.#length)) {
      this.#bytesLeft = Number(this.#length);
      this.#part = "sized body";
      if (this.#bytesLeft === 0) this.end = "status";
    } else {
      this.#breakOff();
    }
  }

  #takeChunkSize(line: string): void {
    const size = chunkSize.exec(line)?.[1];
    if (size === undefined) {
      this.#breakOff();
      return;
    }
    this.#bytesLeft = Number.parseInt(size, 16);
    this.#part = this.#bytesLeft === 0 ? "trailers" : "chunk";
  }

  /** Where the response goes on cannot be known. Its status counts. */
  #breakOff(): void {
    this.#isClean = false;
    this.end = "status";
  }

  /** What came is no response. @param next where what was not read yet begins */
  #refuse(bytes: Buffer, next: number): void {
    this.#isClean = false;
    this.end = tlsRecords.some((record) => this.#line.startsWith(record)) ? "tls" : "not http";
    if (this.end === "tls") return;
    const line = Buffer.from(this.#line, "latin1");
    this.#keep(line, 0, line.length);
    this.#keep(bytes, next, bytes.length);
  }

  /** Copies, since what arrives is up to 64 KiB at a time. */
  #keep(bytes: Buffer, from: number, to: number): void {
    const room = keepLimit - this.#keptBytes;
    if (room === 0 || to <= from) return;
    const kept = bytes.subarray(from, Math.min(to, from + room));
    this.#kept = this.#kept ? Buffer.concat([this.#kept.subarray(0, this.#keptBytes), kept]) : Buffer.from(kept);
    this.#keptBytes += kept.length;
  }
}

/** Whether a response may begin with this line, of which more may follow. */
function mayBeFirst(line: string): boolean {
  const start = line.trimStart();
  return start.length < http.length ? http.startsWith(start) || isAlmostTls(start) : start.startsWith(http);
}

function isAlmostTls(start: string): boolean {
  return tlsRecords.some((record) => start.length < record.length && record.startsWith(start));
}
