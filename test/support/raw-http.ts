/** Sends bytes as they are over a socket, and reads what comes back: for requests that no client would make. */
import { connect, type Socket } from "node:net";
import type { Reply } from "./api.ts";

/** Opens a connection to a server, such as `http://127.0.0.1:3000`. */
export function openSocket(url: string): Socket {
  return connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
}

/** Reads until the other side ends, also where it does so without any manners. */
export async function untilEnd(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

/** Sends a request, or what is none, and reads the one answer. */
export async function sendRaw(url: string, text: string): Promise<Reply> {
  const socket = openSocket(url);
  socket.write(text);
  return parseAnswer(await untilEnd(socket));
}

/** Reads the one answer that is in a text. */
export function parseAnswer(text: string): Reply {
  const [reply] = repliesIn(Buffer.from(text));
  if (!reply) throw new Error("there is no answer");
  return reply;
}

/** A server that is silent for twice as long waits for more; the end of the connection then shows that there is none. */
const silenceMs = 500;
const patienceMs = 60_000;

/**
 * Sends bytes and reads until the server closes the connection.
 *
 * @param isBusy whether the server has work in flight. Silence then says nothing, and Node drops a request whose connection ends.
 * @returns the answers, each read whole
 * @throws when the connection stays open, or what comes back is no HTTP with JSON in it
 */
export function exchange(url: string, bytes: Buffer, isBusy = () => false): Promise<Reply[]> {
  const { hostname, port } = new URL(url);
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const deadline = setTimeout(() => socket.destroy(new Error("It stays open.")), patienceMs);
    let fault: Error | undefined;
    socket.on("data", (chunk) => chunks.push(chunk));
    // A server that has refused a request need not read the rest of it, and may reset the connection.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") fault = error;
    });
    // Twice, since the server may be in this process: after a stall, timers fire before it has read what was sent.
    let silences = 0;
    socket.on("data", () => {
      silences = 0;
    });
    socket.on("timeout", () => {
      silences = isBusy() ? 0 : silences + 1;
      if (silences < 2) socket.setTimeout(silenceMs);
      else socket.end();
    });
    socket.setTimeout(silenceMs);
    socket.on("close", () => {
      clearTimeout(deadline);
      if (fault) reject(fault);
      else resolve(repliesIn(Buffer.concat(chunks)));
    });
    socket.write(bytes);
  });
}

function repliesIn(bytes: Buffer): Reply[] {
  const replies: Reply[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end === -1 || Number.isNaN(status)) throw new Error(`no HTTP: ${rest.subarray(0, 200).toString("latin1")}`);
    const headers = new Headers(
      lines.map((line): [string, string] => [line.replace(/:.*/, ""), line.replace(/^[^:]*:/, "")]),
    );
    const length = Number(headers.get("content-length") ?? 0);
    const text = rest.subarray(end + 4, end + 4 + length).toString("utf8");
    rest = rest.subarray(end + 4 + length);
    // 100 Continue is no answer yet.
    if (status >= 200) replies.push({ status, headers, body: text === "" ? undefined : JSON.parse(text) });
  }
  return replies;
}
