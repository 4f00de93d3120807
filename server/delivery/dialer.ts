/** Opens connections to endpoints, and refuses those whose address is not public at the moment of dialling. */
import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher } from "undici";
import { isPublicAddress } from "../targets.ts";
import { BlockedAddressError } from "./error-class.ts";
import { createNameResolver, type ResolveName } from "./resolve-name.ts";

/** Longer than most chains' time between blocks, so that a busy endpoint keeps its connections from one to the next. */
const keepAliveMs = 15_000;
/**
 * With more connections open than this, each is closed after its exchange: one account may have 10,000 hosts, and each connection that is
 * kept takes memory and a file descriptor. It is three times what can be in flight.
 */
const keptAtMost = 3_000;

/**
 * Makes the agent that all exchanges share. It sets no limit to the connections of a host, which many webhooks may share: who
 * sends does, for each webhook and in all. What is literal in a URL is for who sends to vet: it is not looked up.
 *
 * @param options.allowPrivateTargets dials any address, and asks the system for names as any program does
 * @param options.nameServers asked otherwise; the system's unless given
 * @param options.timeoutMs to connect
 * @param options.connectionsKept with more open, none is kept
 */
export function createDialer(options: {
  allowPrivateTargets: boolean;
  nameServers?: readonly string[] | undefined;
  timeoutMs: number;
  connectionsKept?: number;
}): Dispatcher {
  const { allowPrivateTargets, nameServers, timeoutMs, connectionsKept = keptAtMost } = options;
  let open = 0;
  const agent = new Agent({
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    // The exchange has one deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: timeoutMs,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
      ...(!allowPrivateTargets && { lookup: publicOnly(createNameResolver(nameServers)) }),
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

/** Every answer is vetted, and what was vetted is what is dialled: a name cannot change its answer in between. */
function publicOnly(resolveName: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname).then(
      (addresses) => {
        const blocked = addresses.find(({ address }) => !isPublicAddress(address));
        const [first] = addresses;
        if (blocked || !first)
          callback(new BlockedAddressError(`${hostname} has ${blocked?.address ?? "no address"}`), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
