/** How a process gets to the stream of blocks: what the settings that start with BLOCKS say. */
import { readFileSync } from "node:fs";
import { ServiceError } from "../base/errors.ts";

/** The servers of one NATS cluster, as `BLOCKS` names them. */
type BlocksAddress = {
  /** Each as `host:port`. */
  servers: string[];
  user?: string;
  password?: string;
  token?: string;
  /** Whether a connection without TLS is refused. */
  tls: boolean;
};

export type BlocksConfig = BlocksAddress & {
  /** The path of a `.creds` file, or of a file with an nkey's seed. */
  credentialsFile?: string | undefined;
  /** Paths of PEM files. */
  caFile?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
  /** How long, and how much of each chain, the stream keeps. */
  maxAgeHours: number;
  maxMegabytes: number;
  /** On how many servers the stream is stored. */
  replicas: number;
};

const defaultPort = 4222;
const form = "nats://HOST or tls://HOST, with further hosts after commas, such as nats://one:4222,two:4222";

/** @throws {ServiceError} `config_invalid`; the message shows nothing of the text, which may hold a password */
export function parseBlocksAddress(text: string, name: string): BlocksAddress {
  const wrong = () => new ServiceError("config_invalid", `${name} must be ${form}.`);
  const [, scheme, userinfo, hosts = ""] = /^(nats|tls):\/\/(?:([^@/]*)@)?([^@/?#]+)\/?$/.exec(text.trim()) ?? [];
  if (!scheme) throw wrong();
  const servers = hosts.split(",").map((host) => {
    const url = URL.canParse(`nats://${host.trim()}`) ? new URL(`nats://${host.trim()}`) : undefined;
    if (!url?.hostname || url.port === "0") throw wrong();
    return `${url.hostname}:${url.port || defaultPort}`;
  });
  return { servers, tls: scheme === "tls", ...(userinfo && loginOf(userinfo, wrong)) };
}

/** `user:password`, or a token. */
function loginOf(userinfo: string, wrong: () => Error): Pick<BlocksAddress, "user" | "password" | "token"> {
  try {
    const [first = "", ...rest] = userinfo.split(":");
    if (rest.length === 0) return { token: decodeURIComponent(first) };
    return { user: decodeURIComponent(first), password: decodeURIComponent(rest.join(":")) };
  } catch {
    throw wrong();
  }
}

/** A file with credentials or a certificate must be readable when the process starts. @throws {ServiceError} `config_invalid` */
export function readableFile(path: string, name: string): string {
  try {
    readFileSync(path);
    return path;
  } catch (error) {
    throw new ServiceError("config_invalid", `${name} must be a file that can be read: ${(error as Error).message}.`);
  }
}
