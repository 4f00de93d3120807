/**
 * Opens connections to endpoints, keeps them for the next exchange, and refuses those whose address is not public at the moment of dialling.
 * A connection has one exchange at a time. It is kept only after a response of which every byte was as it must be (response-reader.ts), and
 * closed by any byte that comes before the next request: a response is never taken for that to another request.
 *
 * Below: how names are resolved, and which class an error has by the contract's enumeration.
 */
import { promises as dns, type LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { components } from "../../../generated/types.ts";
import { isTlsCode, ServiceError } from "../../base/errors.ts";
import { unresolvable } from "../../targets/target-names.ts";
import { isAddressWithin, isPublicAddress, type TargetPolicy, withoutFinalDot } from "../../targets/targets.ts";

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
 * @param options.connectionsKept with more open, none is kept
 */
export function createDialer(options: {
  allowPrivateTargets: boolean;
  within?: TargetPolicy["within"];
  nameServers?: readonly string[] | undefined;
  connectionsKept?: number;
}): Dialer {
  const { allowPrivateTargets, within, nameServers, connectionsKept = keptAtMost } = options;
  const lookup = lookupFor({ allowPrivateTargets, within, nameServers });
  const hosts = new Map<string, EndpointHost>();
  const open = new Set<Connection>();
  /** Kept connections with a user that waits for the next pass of the event loop. */
  let claimed: Connection[] = [];

  const others: OpenConnections = {
    isFull: () => open.size > connectionsKept,
    speaksTls: (host) => speaksTls(dialSocket({ ...host, isTls: true }, lookup)),
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
    const connection = new Connection(host, dialSocket(host, lookup), others);
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
  readonly #socket: Socket;
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

  constructor(host: EndpointHost, socket: Socket, others: OpenConnections) {
    this.host = host;
    this.#socket = socket;
    this.#others = others;
    socket
      .on("error", (error) => {
        this.#error = error;
      })
      .on("close", () => this.#closed())
      .on(host.isTls ? "secureConnect" : "connect", () => this.#user?.onReady())
      .on("data", (bytes: Buffer) => this.#arrived(bytes))
      .on("end", () => this.#ended())
      .on("drain", () => this.#writeOn());
    if (host.isTls)
      socket.on("session", (session: Buffer) => {
        host.session = session;
      });
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

function dialSocket(
  { isTls, hostname, port, servername, session }: EndpointHost,
  lookup: LookupFunction | undefined,
): Socket {
  const to = { host: hostname, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };
  const options = { ...to, ...(lookup && { lookup }) };
  if (!isTls) return connect(options);
  return connectTls({
    ...options,
    ...(servername && { servername }),
    ...(session && { session }),
    ALPNProtocols: ["http/1.1"],
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
  });
}

/** Whether the other side says anything in TLS. What it says does not matter. */
function speaksTls(socket: Socket): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const isTls = ({ code = "" }: NodeJS.ErrnoException) =>
      /_ALERT_|^ERR_TLS_|^CERT_|^DEPTH_ZERO_|^SELF_SIGNED_|^UNABLE_TO_/.test(code);
    socket
      .on("error", (error) => resolve(isTls(error)))
      .on("secureConnect", () => resolve(true))
      .on("close", () => resolve(false))
      .setTimeout(tlsProbeMs, () => resolve(false));
  }).finally(() => socket.destroy());
}

/** How names are looked up; undefined for the system's own way. */
export function lookupFor({
  allowPrivateTargets,
  within,
  nameServers,
}: Parameters<typeof createDialer>[0]): LookupFunction | undefined {
  if (!allowPrivateTargets) return only(isPublicAddress, createNameResolver(nameServers));
  return within && only((ip) => isAddressWithin(ip, within), asPrograms);
}

/** Checks every address of a name and dials what was checked, so that a name cannot change its answer in between. */
function only(mayCall: (ip: string) => boolean, resolveName: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname).then(
      (addresses) => {
        const blocked = addresses.find(({ address }) => !mayCall(address));
        const [first] = addresses;
        if (blocked || !first)
          callback(new ExchangeError("blocked_address", `${hostname} has ${blocked?.address ?? "no address"}`), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** As any program resolves names: /etc/hosts has those of this machine. */
const asPrograms: ResolveName = (hostname) => dns.lookup(hostname, { all: true });

/** @returns the name's addresses, at least one @throws ExchangeError `dns_error` */
type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Resolves public names by DNS. The system's getaddrinfo blocks one of four threads while a name server does not answer, so a few dead names
 * would block all others. This one uses no threads.
 *
 * @param nameServers their addresses, with a port if it is not 53; the system's by default
 */
export function createNameResolver(nameServers?: readonly string[]): ResolveName {
  // With a second try if the first query is lost, well within the usual time of an exchange.
  const resolver = new Resolver({ timeout: 2_500, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  return async (hostname) => {
    // RFC 6761: `localhost` names are the machine itself; `invalid` ones have no address. Neither is sent to a name server.
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return [...loopback];
    if (unresolvable(hostname, { allowPrivateTargets: false }))
      throw new ExchangeError("dns_error", `${hostname} has no address`);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0) return addresses;
    throw new ExchangeError("dns_error", `${hostname} has no address`, {
      cause: four.status === "rejected" ? four.reason : undefined,
    });
  };
}

export type ErrorClass = components["schemas"]["ErrorClass"];

/** An exchange that we ended, or did not begin. A failed lookup wraps it. */
export class ExchangeError extends ServiceError {
  override readonly name = "ExchangeError";
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, message: string, options?: { cause?: unknown }) {
    super("exchange_failed", message, options);
    this.errorClass = errorClass;
  }
}

const byCode: readonly [RegExp, ErrorClass][] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME)/, "dns_error"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)/, "connection_refused"],
  [/^ETIMEDOUT/, "timeout"],
];

/** @returns the class of an error that ended an exchange; `connection_reset` for an unknown one */
export function errorClassOf(error: unknown): ErrorClass {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ExchangeError) return at.errorClass;
    const code = codeOf(at);
    if (isTlsCode(code)) return "tls_error";
    const known = byCode.find(([pattern]) => pattern.test(code));
    if (known) return known[1];
  }
  return "connection_reset";
}

// Node tries every address of a host and collects their errors. The first says enough.
function codeOf(error: Error): string {
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0]);
  return "";
}
