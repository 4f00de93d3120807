/** Runs the service, which takes its configuration from the environment. */
import { runService } from "../../../server/process.ts";
import { noOperands, runCommand } from "../command-line.ts";

const help = `Runs the service: the API, the followers of the chains, and the delivery of notifications.

Usage:
  chain-webhooks serve

Environment:
  PORT                   where the API listens; 3000 unless set, 0 for any free port
  HOST                   on which address; 127.0.0.1 unless set
  METRICS_PORT           where Prometheus finds metrics, in any role; nowhere unless set
  METRICS_HOST           on which address; 127.0.0.1 unless set
  DATABASE_URL           a postgres:// URL; an embedded PostgreSQL in DATA_DIR unless set
  DATA_DIR               where the embedded PostgreSQL keeps its data; .data, for root /var/lib/chain-webhooks
  CHAINS                 the chains to follow, as JSON or @file; the C-Chain and Fuji unless set
  ROLES                  what this process does; api,follow,deliver unless set
  SECRET_KEY             encrypts signing secrets in the database: 32 random bytes in base64 or hexadecimal. Several between commas: the
                         first encrypts, all decrypt
  NODE_ENV               where it is production, SECRET_KEY must be set
  ALLOW_PRIVATE_TARGETS  true to call private addresses, plain http and ports of databases too, for development
  ALLOW_HTTP_TARGETS     true to call plain http too
  NAME_SERVERS           which are asked for the addresses of endpoints, such as 192.0.2.1,[2001:db8::1]:53; the system's unless set
  LOG_LEVEL              fatal, error, warn, info, debug, trace or silent; info unless set
  LEASE_SECONDS          how long the work of a process that died waits before another takes it over; 10 unless set
  RATE_LIMIT_KEY         how many requests a key may send in RATE_LIMIT_SECONDS; 2000 unless set, 0 for any number
  RATE_LIMIT_ADDRESS     the same of a client address without a valid key; 500 unless set, 0 for any number
  RATE_LIMIT_SECONDS     10 unless set
  TRUST_PROXY            how many proxies stand in front, or which networks they are in; none unless set
  WEBHOOK_QUOTA          how many webhooks an account may have; 10000 unless set
  ADDRESS_QUOTA          how many addresses they may watch together; 10000000 unless set
  MAX_REQUESTS_IN_HAND   how many requests the API works on at once; 40 unless set
  MAX_CONNECTIONS        how many connections it keeps open; 10000 unless set
  OTEL_EXPORTER_OTLP_ENDPOINT  where traces are sent, by OTLP over HTTP in JSON; none are made unless set

Options:
  -h, --help             shows this

It logs JSON lines on the standard output. It ends at SIGTERM or Ctrl-C, when what is under way is finished, with exit code 0;
with 1 when it cannot start, 2 for a command that cannot be understood, and 3 when a package is not installed that these settings
need.`;

/** Runs `serve` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options: {} }, args, async ({ positionals }) => {
    noOperands(positionals);
    return runService(process.env);
  });
}
