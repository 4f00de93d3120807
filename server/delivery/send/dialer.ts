/**
 * Opens connections to endpoints, keeps them for the next exchange, and refuses those whose address is not public at the moment of dialling.
 * A connection has one exchange at a time. It is kept only after a response of which every byte was as it must be (response-reader.ts), and
 * closed by any byte that comes before the next request: a response is never taken for that to another request.
 *
 * Below: the way through the operator's proxy.
 */
import { lookup as systemLookup } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { isTlsCode } from "../../base/errors.ts";
import type { EgressProxy } from "../../settings/config.ts";
import { type TargetPolicy, withoutFinalDot } from "../../targets/targets.ts";
import { ExchangeError, lookupFor } from "./lookup.ts";

/** Longer than most chains' block time, so that a busy endpoint keeps its connections from one block to the next. */
const keepAliveMs = 15_000;
/** A server that says how long it keeps a connection is believed up to this, less what a request needs to reach it. */
const longestKeepAliveMs = 60_000;
const onTheWayMs = 2_000;
/**
 * With more open connections, each is closed after its exchange. One account may have 10,000 hosts, and a kept connection takes memory and
 * a file descriptor. It is three times what can be in flight.
 */
const keptAtMost = 3_000;
/** A body is written piece by piece: encrypting 22 MB in one piece would stop the process for 40 ms. */
const pieceBytes = 256 * 1024;

/** What uses a connection. */
export type ConnectionUser = {
  /** The connection that it has from now on. It comes once more if a kept one turns out to be closed. */
  onConnection(connection: Connection): void;
  /** The request may be written. */
  onReady(): void;
  onData(bytes: Buffer): void;
  /** The endpoint has sent all that it will send. */
  onEnd(): void;
  /** The connection is closed. No more is called. */
  onClose(error: Error | undefined): void;
};

/** How long a port may take to show whether it speaks TLS. */
const tlsProbeMs = 2_000;

export type Dialer = {
  /** Finds or opens a connection. @param origin of a URL */
  dial(origin: string, user: ConnectionUser): void;
  /** Closes all connections; resolves when they are closed. */
  destroy(): Promise<void>;
};

/** What the connections to an origin have in common. */
type EndpointHost = {
  readonly origin: string;
  readonly isTls: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The header `host`. A name's final dot is for resolvers: servers know neither this header nor SNI with it. */
  readonly header: string;
  readonly servername: string | undefined;
  readonly idle: Connection[];
  open: number;
  /** Of the last TLS connection, so that the next one is cheaper. */
  session: Buffer | undefined;
};

/**
 * Creates the dialer that all exchanges share. It does not limit a host's connections, since many webhooks may share a host; the sender limits
 * them by webhook and in total. The sender also checks literal addresses in URLs, which are not looked up.
 *
 * @param options.allowPrivateTargets dials any address, and resolves names as any program does
 * @param options.within with private targets: refuses all beyond these
 * @param options.nameServers used otherwise; the system's by default
 * @param options.egressProxy leads to all endpoints; without one they are dialled
 * @param options.onProxyFailure called for each connection that failed for the proxy's own sake
 * @param options.connectionsKept with more open, none is kept
 */
export function createDialer(options: {
  allowPrivateTargets: boolean;
  within?: TargetPolicy["within"];
  nameServers?: readonly string[] | undefined;
  egressProxy?: EgressProxy | undefined;
  onProxyFailure?: (failure: ProxyFailure, cause: unknown) => void;
  connectionsKept?: number;
}): Dialer {
  const { allowPrivateTargets, within, nameServers, connectionsKept = keptAtMost } = options;
  const { egressProxy, onProxyFailure = () => {} } = options;
  const lookup = lookupFor({ allowPrivateTargets, within, nameServers });
  const tunnelTo = egressProxy && tunnels(egressProxy, lookup ?? systemLookup, onProxyFailure);
  const dialHost = (host: EndpointHost): Dialled => tunnelTo?.(host) ?? { socket: dialSocket(host, lookup) };
  const hosts = new Map<string, EndpointHost>();
  const open = new Set<Connection>();
  /** Kept connections with a user that waits for the next pass of the event loop. */
  let claimed: Connection[] = [];

  const others: OpenConnections = {
    isFull: () => open.size > connectionsKept,
    speaksTls: (host) => speaksTls(host, dialHost),
    onClosed(connection) {
      const { host } = connection;
      open.delete(connection);
      host.open -= 1;
      if (host.open === 0) hosts.delete(host.origin);
    },
  };

  function hostOf(origin: string): EndpointHost {
    const known = hosts.get(origin);
    if (known) return known;
    const host = parseHost(origin);
    hosts.set(origin, host);
    return host;
  }

  function dialNew(host: EndpointHost, user: ConnectionUser): void {
    // It may have been forgotten since.
    hosts.set(host.origin, host);
    host.open += 1;
    const connection = new Connection(host, dialHost(host), others);
    open.add(connection);
    connection.claim(user);
    user.onConnection(connection);
  }

  /** Whatever a kept connection brought while nobody listened has been read by now: its end, or bytes that no request asked for. */
  function startClaimed(): void {
    const connections = claimed;
    claimed = [];
    for (const connection of connections) {
      const { user } = connection;
      if (!user) continue;
      if (connection.isOpen) user.onReady();
      else {
        connection.leave();
        dialNew(connection.host, user);
      }
    }
  }

  return {
    dial(origin, user) {
      const host = hostOf(origin);
      const kept = host.idle.pop();
      if (!kept) return dialNew(host, user);
      kept.claim(user);
      user.onConnection(kept);
      if (claimed.push(kept) === 1) setImmediate(startClaimed);
    },
    async destroy() {
      await Promise.all([...open].map((connection) => connection.destroyed()));
    },
  };
}

/** What a connection needs to know of the others. */
type OpenConnections = {
  isFull(): boolean;
  speaksTls(host: EndpointHost): Promise<boolean>;
  onClosed(connection: Connection): void;
};

/** A connection: connecting, then alternately with a user, claimed by one that has not written yet, or idle. */
export class Connection {
  readonly host: EndpointHost;
  /** As it was dialled. */
  readonly #outer: Socket;
  /** The same, or what encrypts inside of a tunnel. */
  #socket: Socket;
  readonly #others: OpenConnections;
  #user: ConnectionUser | undefined;
  #isOpen = true;
  /** Whether the user has begun to write, so that bytes may come. */
  #isAsked = true;
  #mustClose = false;
  /** Of the body. */
  #unwritten: Buffer | undefined;
  #error: Error | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(host: EndpointHost, { socket, opened }: Dialled, others: OpenConnections) {
    this.host = host;
    this.#outer = socket;
    this.#socket = socket;
    this.#others = others;
    if (!opened) {
      this.#watch(socket);
      this.#use(socket, host.isTls ? "secureConnect" : "connect");
      return;
    }
    opened.then(
      () => this.#useTunnel(),
      (error: Error) => {
        this.#error = error;
        this.#closed();
      },
    );
  }

  #watch(socket: Socket): void {
    socket
      .on("error", (error) => {
        this.#error ??= error;
        // Node leaves a socket open whose TLS breaks after the handshake.
        this.#shut();
      })
      .on("close", () => (socket === this.#socket ? this.#closed() : this.#socket.destroy()));
  }

  #use(socket: Socket, readyEvent?: "connect" | "secureConnect"): void {
    if (readyEvent) socket.on(readyEvent, () => this.#user?.onReady());
    socket
      .on("data", (bytes: Buffer) => this.#arrived(bytes))
      .on("end", () => this.#ended())
      .on("drain", () => this.#writeOn());
    if (this.host.isTls)
      socket.on("session", (session: Buffer) => {
        this.host.session = session;
      });
  }

  #useTunnel(): void {
    if (this.#outer.destroyed) {
      this.#closed();
      return;
    }
    // The way has failed, not the endpoint's TLS.
    this.#outer.on("error", (cause) => {
      this.#error ??= new ExchangeError("connection_reset", "the tunnel broke", { cause });
    });
    this.#watch(this.#outer);
    if (this.host.isTls) {
      this.#socket = encrypted(this.host, { socket: this.#outer });
      this.#watch(this.#socket);
      this.#use(this.#socket, "secureConnect");
    } else {
      this.#use(this.#socket);
      this.#user?.onReady();
    }
  }

  get user(): ConnectionUser | undefined {
    return this.#user;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Whether the port speaks TLS, although the URL does not say `https`. Most TLS servers close a connection that begins with plain HTTP, without a
   * word; so this opens another one, and says no more than hello.
   */
  async isForTls(): Promise<boolean> {
    return !this.host.isTls && (await this.#others.speaksTls(this.host));
  }

  /** From now on it has this user. */
  claim(user: ConnectionUser): void {
    this.#user = user;
    clearTimeout(this.#idleTimer);
    // Whoever waits for the exchange keeps the process alive.
    this.#socket.ref();
  }

  /** @param requestLine with its end, as the headers have @param headers all but `host`, `connection` and the length */
  write(requestLine: string, headers: string, body: Buffer): void {
    this.#isAsked = true;
    this.#mustClose = this.#others.isFull();
    const own = `host: ${this.host.header}\r\nconnection: ${this.#mustClose ? "close" : "keep-alive"}\r\n`;
    this.#socket.cork();
    this.#socket.write(`${requestLine}${own}${headers}content-length: ${body.length}\r\n\r\n`, "latin1");
    this.#unwritten = body;
    this.#writeOn();
    this.#socket.uncork();
  }

  /** The exchange is over, and nothing more is to come. @param keepSeconds how long the server keeps the connection, if it says so */
  release(keepSeconds: number | undefined): void {
    const keepMs = keepSeconds ? Math.min(keepSeconds * 1000 - onTheWayMs, longestKeepAliveMs) : keepAliveMs;
    // A server that has answered before it had the whole request reads the rest of it as the next one, or not at all.
    const isWritten = !this.#unwritten && this.#socket.writableLength === 0;
    if (!this.#isOpen || this.#mustClose || !isWritten || keepMs <= 0) {
      this.destroy();
      return;
    }
    this.#user = undefined;
    this.#isAsked = false;
    this.#socket.unref();
    this.#idleTimer = setTimeout(() => this.destroy(), keepMs).unref();
    this.host.idle.push(this);
  }

  /** Closes it. Its user hears no more of it. */
  destroy(): void {
    this.#user = undefined;
    this.#unwritten = undefined;
    this.#shut();
  }

  /** Its user goes on without it. */
  leave(): void {
    this.#user = undefined;
  }

  /** Closes it, and resolves when it is closed. */
  destroyed(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once("close", () => resolve());
      this.#shut();
    });
  }

  #arrived(bytes: Buffer): void {
    if (this.#isAsked) this.#user?.onData(bytes);
    else this.#shut();
  }

  #ended(): void {
    if (this.#isAsked) this.#user?.onEnd();
    // Left alone, it would wait until the endpoint has read what is not written yet.
    this.#shut();
  }

  #shut(): void {
    this.#isOpen = false;
    clearTimeout(this.#idleTimer);
    const { idle } = this.host;
    const place = idle.indexOf(this);
    if (place >= 0) idle.splice(place, 1);
    this.#socket.destroy();
    this.#outer.destroy();
  }

  #closed(): void {
    this.#shut();
    this.#others.onClosed(this);
    // A claimed one is replaced instead.
    if (!this.#isAsked) return;
    const user = this.#user;
    this.#user = undefined;
    user?.onClose(this.#error);
  }

  #writeOn(): void {
    while (this.#unwritten) {
      const piece = this.#unwritten.subarray(0, pieceBytes);
      this.#unwritten = this.#unwritten.length > pieceBytes ? this.#unwritten.subarray(pieceBytes) : undefined;
      if (!this.#socket.write(piece)) return;
    }
  }
}

function parseHost(origin: string): EndpointHost {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  const name = withoutFinalDot(hostname);
  const address = hostname.replace(/^\[|\]$/g, "");
  return {
    ...{ origin, isTls, idle: [], open: 0, session: undefined },
    hostname: address,
    port: Number(port) || (isTls ? 443 : 80),
    header: port ? `${name}:${port}` : name,
    servername: isIP(address) === 0 ? name : undefined,
  };
}

function dialSocket(host: EndpointHost, lookup: LookupFunction | undefined): Socket {
  const { isTls, hostname, port } = host;
  const options = { host: hostname, port, ...onTheWire, ...(lookup && { lookup }) };
  return isTls ? encrypted(host, options) : connect(options);
}

const onTheWire = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };

function encrypted({ servername, session }: EndpointHost, way: ConnectionOptions): Socket {
  return connectTls({
    ...way,
    ...(servername && { servername }),
    ...(session && { session }),
    ALPNProtocols: ["http/1.1"],
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
  });
}

/** Whether a port says anything in TLS. What it says does not matter. */
async function speaksTls(host: EndpointHost, dialHost: (host: EndpointHost) => Dialled): Promise<boolean> {
  const asTls = { ...host, isTls: true };
  const { socket: outer, opened } = dialHost(asTls);
  outer.on("error", () => undefined).setTimeout(tlsProbeMs, () => outer.destroy());
  await opened;
  const socket = opened ? encrypted(asTls, { socket: outer }) : outer;
  return new Promise<boolean>((resolve) => {
    const isTls = ({ code = "" }: NodeJS.ErrnoException) =>
      /_ALERT_|^ERR_TLS_|^CERT_|^DEPTH_ZERO_|^SELF_SIGNED_|^UNABLE_TO_/.test(code);
    socket
      .on("error", (error) => resolve(isTls(error)))
      .on("secureConnect", () => resolve(true))
      .on("close", () => resolve(false))
      .setTimeout(tlsProbeMs, () => resolve(false));
  }).finally(() => {
    socket.destroy();
    outer.destroy();
  });
}

/** A connection on its way to an endpoint. */
type Dialled = {
  socket: Socket;
  /** Of a tunnel: settles when what is written reaches the endpoint, or never will. */
  opened?: Promise<void>;
};

/** Why the proxy did nothing, whatever the endpoint is like. */
export type ProxyFailure = "unreachable" | "credentials" | "invalid_response";

/** An answer to CONNECT is a few hundred bytes. */
const longestAnswer = 16_384;

/**
 * Reaches endpoints by CONNECT (RFC 9110, section 9.3.6), those by plain http as well. Names are resolved and checked here, and the proxy is
 * asked for the address, so that it leads nowhere that the service would not call itself.
 */
function tunnels(
  { url, resolvesNames }: EgressProxy,
  lookup: LookupFunction,
  onFailure: (failure: ProxyFailure, cause: unknown) => void,
): (to: EndpointHost) => Required<Dialled> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isTls = protocol === "https:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const address = { host, port: Number(port) || (isTls ? 443 : 80), ...onTheWire };
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const credentials = user === ":" ? "" : `proxy-authorization: Basic ${Buffer.from(user).toString("base64")}\r\n`;

  return (to) => {
    const authority = authorityOf(to, resolvesNames ? undefined : lookup);
    // The proxy may be away for longer than name servers need.
    authority.catch(() => undefined);
    const socket = isTls
      ? connectTls({ ...address, ...servername, ALPNProtocols: ["http/1.1"], rejectUnauthorized: true })
      : connect(address);
    const opened = new Promise<void>((resolve, reject) => {
      let isReached = false;
      let isSettled = false;
      const settle = (how: () => void) => {
        if (!isSettled) how();
        isSettled = true;
      };
      const fail = (error: unknown) => settle(() => reject(error));
      const failItself = (failure: ProxyFailure, cause?: unknown) =>
        settle(() => {
          onFailure(failure, cause);
          reject(new ExchangeError("connection_refused", `the egress proxy: ${failure}`, { cause }));
        });
      let head: Buffer = Buffer.alloc(0);
      const onData = (bytes: Buffer) => {
        head = withoutInterim(Buffer.concat([head, bytes]));
        const end = head.indexOf("\r\n\r\n");
        if (end < 0 && head.length <= longestAnswer) return;
        socket.off("data", onData);
        const [, status = ""] = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(head.toString("latin1", 0, 64)) ?? [];
        if (status === "407") failItself("credentials");
        else if (status === "" || end < 0) failItself("invalid_response");
        else if (!status.startsWith("2")) fail(refusal(status));
        // No endpoint speaks before it was spoken to.
        else if (head.length > end + 4) fail(new ExchangeError("invalid_response", "bytes before the request"));
        else settle(resolve);
      };
      socket
        // In TLS 1.3 a proxy refuses a client without a certificate only after the handshake.
        .on("error", (error: NodeJS.ErrnoException) =>
          isReached && !isTlsCode(error.code ?? "") ? fail(error) : failItself("unreachable", error),
        )
        // Whoever gave up before the proxy was reached has waited for the proxy.
        .on("close", () =>
          isReached
            ? fail(new ExchangeError("connection_reset", "the egress proxy closed"))
            : failItself("unreachable"),
        )
        .on("data", onData)
        .on(isTls ? "secureConnect" : "connect", () => {
          isReached = true;
          const ask = (name: string) => {
            if (!socket.destroyed) socket.write(`CONNECT ${name} HTTP/1.1\r\nhost: ${name}\r\n${credentials}\r\n`);
          };
          authority.then(ask, fail);
        });
    });
    // Whoever has left hears of it no more, and what the proxy still sends keeps nothing open.
    opened.catch(() => socket.destroy());
    return { socket, opened };
  };
}

/** Interim responses (RFC 9110, section 15.2) may precede the one that counts. */
function withoutInterim(head: Buffer): Buffer {
  const end = head.indexOf("\r\n\r\n");
  const isInterim = end >= 0 && /^HTTP\/1\.[01] 1\d\d[ \r]/.test(head.toString("latin1", 0, 64));
  return isInterim ? withoutInterim(head.subarray(end + 4)) : head;
}

/** @param lookup undefined where the proxy resolves names @returns what the proxy is asked for */
async function authorityOf({ hostname, port }: EndpointHost, lookup: LookupFunction | undefined): Promise<string> {
  const isName = isIP(hostname) === 0;
  const target = lookup && isName ? await oneAddressOf(hostname, lookup) : hostname;
  return `${isIP(target) === 6 ? `[${target}]` : target}:${port}`;
}

/** Another one each time, so that a later attempt may reach what this one did not. IPv6 only where there is nothing else: many proxies lack it. */
function oneAddressOf(hostname: string, lookup: LookupFunction): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error) return reject(error);
      const all = typeof found === "string" ? [found] : found.map(({ address }) => address);
      const four = all.filter((address) => isIP(address) === 4);
      const some = four.length > 0 ? four : all;
      const one = some[Math.floor(Math.random() * some.length)];
      if (one === undefined) reject(new ExchangeError("dns_error", `${hostname} has no address`));
      else resolve(one);
    });
  });
}

/** What it means for the endpoint that the proxy did not open the tunnel. */
function refusal(status: string): ExchangeError {
  const message = `the egress proxy answered ${status}`;
  if (status === "403") return new ExchangeError("blocked_address", message);
  return new ExchangeError(status === "504" ? "timeout" : "connection_refused", message);
}
