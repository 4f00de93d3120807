/** Opens connections to endpoints, and refuses those whose address is not public at the moment of dialling. */
import { promises as dns } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher } from "undici";
import { isAddressWithin, isPublicAddress, type TargetPolicy } from "../targets.ts";
import { ExchangeError } from "./error-class.ts";
import { createNameResolver, type ResolveName } from "./resolve-name.ts";

/** Longer than most chains' block time, so that a busy endpoint keeps its connections from one block to the next. */
const keepAliveMs = 15_000;
/**
 * With more open connections, each is closed after its exchange. One account may have 10,000 hosts, and a kept connection takes memory and
 * a file descriptor. It is three times what can be in flight.
 */
const keptAtMost = 3_000;

/**
 * Creates the agent that all exchanges share. It does not limit a host's connections, since many webhooks may share a host; the sender limits
 * them by webhook and in total. The sender also checks literal addresses in URLs, which are not looked up.
 *
 * @param options.allowPrivateTargets dials any address, and resolves names as any program does
 * @param options.within with private targets: refuses all beyond these
 * @param options.nameServers used otherwise; the system's by default
 * @param options.timeoutMs to connect
 * @param options.connectionsKept with more open, none is kept
 */
export function createDialer(options: {
  allowPrivateTargets: boolean;
  within?: TargetPolicy["within"];
  nameServers?: readonly string[] | undefined;
  timeoutMs: number;
  connectionsKept?: number;
}): Dispatcher {
  const { allowPrivateTargets, within, nameServers, timeoutMs, connectionsKept = keptAtMost } = options;
  let open = 0;
  const agent = new Agent({
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    // The exchange has its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: timeoutMs,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
      ...(!allowPrivateTargets && { lookup: only(isPublicAddress, createNameResolver(nameServers)) }),
      ...(allowPrivateTargets && within && { lookup: only((ip) => isAddressWithin(ip, within), asPrograms) }),
    },
  });
  agent.on("connect", () => {
    open += 1;
  });
  agent.on("disconnect", () => {
    open -= 1;
  });
  return agent.compose(
    (dispatch) => (request, handler) =>
      dispatch(open < connectionsKept ? request : { ...request, reset: true }, handler),
  );
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
