/** Where notifications may go. Checked on each change of a webhook, and again for each connection. */

import { createRequire } from "node:module";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** What the operator allows besides `https` to public addresses. */
export type TargetPolicy = {
  /** Also private addresses, and there plain `http` and the ports of databases. */
  allowPrivateTargets: boolean;
  /** Also plain `http`. */
  allowHttpTargets?: boolean;
  /** With private targets: none beyond these, public ones included. For what listens on a developer's machine. */
  within?: Exclude<TargetReach, "any"> | undefined;
};

/** How far a program on a developer's machine may call: that machine, also the networks that it is in, or anywhere. */
export type TargetReach = (typeof targetReaches)[number];
export const targetReaches = ["loopback", "private", "any"] as const;

// The IPv6 ranges of the five registries (IANA's IPv6 Global Unicast Address Assignments), with room for each to grow.
// Everything else is reserved, was returned (3ffe::/16), embeds, translates or is local.
const publicIpv6 = ["2001::/16", "2003::/16", "2400::/8", "2600::/8", "2800::/8", "2a00::/8", "2c00::/8"].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
);
// Public addresses at which a cloud serves credentials or start-up scripts to its machines: Azure's, Equinix Metal's.
const metadataServices = new Set(["168.63.129.16", "192.80.8.124"]);
// Private ones: Amazon's and Google's by IPv6. Those by IPv4 are link-local.
const privateMetadataServices = new Set(["fd00:ec2::254", "fd20:ce::254"]);
// RFC 6761, 6762, 8375 and what ICANN reserves for private use: names that mean something else in every network. A name without a
// dot depends on the network, too.
const localName = /^([^.]+|(.+\.)?(localhost|local|internal|localdomain|home\.arpa))\.?$/;
const literalIp = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/**
 * Whether an address is on the public internet: not loopback, private, link-local, carrier-grade NAT, metadata service,
 * multicast or reserved, and no IPv6 form that leads to an IPv4 address by mapping, NAT64, 6to4, Teredo or ISATAP.
 *
 * @param ip IPv4 or IPv6 as text, without brackets; anything else is not public
 * @example
 * isPublicAddress("93.184.215.14"); // true
 * isPublicAddress("::ffff:127.0.0.1"); // false
 */
export function isPublicAddress(ip: string): boolean {
  // Stricter than ipaddr.js, which also accepts 010.1.2.
  if (isIP(ip) === 0) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== "unicast" || metadataServices.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || (publicIpv6.some((block) => address.match(block)) && !isIsatap(address));
}

/**
 * Whether an address is of this machine (`loopback`), or of it or a private network (`private`). Link-local addresses are neither, since
 * clouds serve credentials there.
 *
 * @param ip IPv4 or IPv6 as text, without brackets; anything else is outside
 */
export function isAddressWithin(ip: string, within: Exclude<TargetReach, "any">): boolean {
  if (isIP(ip) === 0) return false;
  // ::ffff:127.0.0.1 leads where 127.0.0.1 does.
  const address = ipaddr.process(ip);
  const range = address.range();
  if (range === "loopback") return true;
  const isPrivate = range === "private" || range === "uniqueLocal";
  return within === "private" && isPrivate && !privateMetadataServices.has(address.toString());
}

/** RFC 5214: the last half of such an address is 0:5efe, or 200:5efe, and an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & ~0x200) === 0 && parts[5] === 0x5efe;
}

/**
 * Why notifications must not go to a url, as far as the url itself shows. Before a connection, its name must still be resolved and
 * its addresses checked.
 *
 * @returns what the url must be, as the end of a sentence that begins with it; undefined for one that may be called
 * @example
 * refusalOf("https://10.0.0.1/", { allowPrivateTargets: false }); // "must have a host on the public internet"
 */
export function refusalOf(url: string, policy: TargetPolicy): string | undefined {
  const { allowPrivateTargets, allowHttpTargets, within } = policy;
  const isHttpAllowed = allowPrivateTargets || allowHttpTargets;
  const scheme = isHttpAllowed ? "http or https" : "https";
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || parsed.username || parsed.password)
    return `must be a valid ${scheme} URL without user name or password`;
  const { protocol, hostname, port } = parsed;
  if (protocol !== "https:" && !(isHttpAllowed && protocol === "http:")) return `must be an ${scheme} URL`;
  if (port === "0") return "must have a port from 1 to 65535";
  if (isPortOfAnother(port)) return `must have a port for https, which ${port} is not: it belongs to another protocol`;
  const isLiteral = literalIp.test(hostname);
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (allowPrivateTargets && within && isLiteral && !isAddressWithin(literal, within))
    return within === "loopback" ? "must have a host on this machine" : "must have a host in a private network";
  if (allowPrivateTargets) return undefined;
  const owner = ownerOfPort(port);
  if (owner) return `must have another port: ${port} is ${owner}'s`;
  const isPublic = isLiteral ? isPublicAddress(literal) : !localName.test(hostname);
  return isPublic ? undefined : "must have a host on the public internet";
}

/**
 * A host without the dot that makes it absolute. Resolvers need the dot, to leave search domains alone. SNI (RFC 6066), certificates and
 * most servers' configurations have names without it.
 *
 * @example
 * withoutFinalDot("example.com."); // "example.com"
 */
export function withoutFinalDot(hostname: string): string {
  return hostname.replace(/\.$/, "");
}

/** Whether names of a private DNS count. */
type Scope = { allowPrivateTargets: boolean };

// RFC 1035: a query has no room for longer names or labels, or for empty ones.
const longestName = 253;
// RFC 1123 and more: names with an underscore, or a hyphen at either end, exist and resolve. Resolvers drop answers for names with
// other characters. A * stands for many names, not for one.
const label = /^[a-z0-9_-]{1,63}$/i;
// IANA's special-use domain names: reserved as non-existent (RFC 6761), or resolved by other means than DNS (RFC 7686, RFC 9476).
const neverDelegated = /\.(invalid|onion|alt)$/i;
// RFC 6761: reserved for tests and documentation. A private DNS may have them.
const neverPublic = /\.(test|example)$/i;

/**
 * Why a name can never resolve, whatever is in the DNS.
 *
 * @param hostname as a URL has it, in ASCII; a literal address needs no resolving
 * @returns what the name must be, as the end of a sentence; undefined for one that may resolve
 * @example
 * unresolvable("a..b", { allowPrivateTargets: false }); // "must have a host name whose labels are 1 to 63 letters, digits, …"
 */
export function unresolvable(hostname: string, { allowPrivateTargets }: Scope): string | undefined {
  if (hostname.startsWith("[")) return undefined;
  const name = hostname.replace(/\.$/, "");
  if (name.length > longestName) return `must have a host name of at most ${longestName} characters`;
  if (!name.split(".").every((part) => label.test(part)))
    return "must have a host name whose labels are 1 to 63 letters, digits, hyphens or underscores";
  const [special] =
    neverDelegated.exec(`.${name}`) ?? (allowPrivateTargets ? null : neverPublic.exec(`.${name}`)) ?? [];
  return special && `must have a host name that can resolve, which none in ${special.toLowerCase()} does`;
}

/**
 * Ports that notifications never go to. Some belong to other protocols, whose servers could read a line of ours as a command: those
 * that browsers block (https://fetch.spec.whatwg.org/#port-blocking), such as 22 and 25. Others belong to servers for
 * private networks, often without a password.
 */

// undici's own list for its fetch. It exports the list nowhere else, and its version is pinned.
const { badPortsSet } = createRequire(import.meta.url)("undici/lib/web/fetch/constants.js") as {
  badPortsSet: ReadonlySet<string>;
};

/** @param port as in a URL, so "" for the scheme's default */
export function isPortOfAnother(port: string): boolean {
  return badPortsSet.has(port);
}

/**
 * The usual ports of databases, caches, container and search engines, and their companions. Ports that web servers use, too, are
 * not in the list, such as 3000, 4000, 5000, 7000, 8000, 8080, 8123 (Home Assistant and ClickHouse), 8443 and 9000.
 */
const infrastructure: Readonly<Record<string, readonly number[]>> = {
  PostgreSQL: [5432, 5433, 6432],
  MySQL: [3306, 33060],
  "SQL Server": [1433, 1434],
  Oracle: [1521, 2483, 2484],
  Firebird: [3050],
  MongoDB: [27017, 27018, 27019, 27020, 28017],
  Cassandra: [7199, 9042, 9142, 9160],
  CockroachDB: [26257],
  ClickHouse: [9009, 9440],
  CouchDB: [5984, 6984],
  Couchbase: [8091, 8092, 8093, 8094, 8095, 8096, 11207, 11210, 18091, 18092, 18093, 18094, 18095, 18096],
  InfluxDB: [8086],
  Neo4j: [7473, 7474, 7687],
  ArangoDB: [8529],
  RethinkDB: [28015, 29015],
  Redis: [6379, 6380, 16379, 26379],
  memcached: [11211],
  Hazelcast: [5701],
  Varnish: [6082],
  Squid: [3128],
  Docker: [2375, 2376, 2377, 7946],
  Kubernetes: [6443, 10250, 10255, 10256, 10257, 10259],
  etcd: [2379, 2380],
  cAdvisor: [4194],
  Nomad: [4646, 4647, 4648],
  Consul: [8300, 8301, 8302, 8500, 8501, 8502, 8503, 8600],
  Vault: [8200, 8201],
  Elasticsearch: [9200, 9300],
  Kibana: [5601],
  Solr: [8983],
  Meilisearch: [7700],
  Typesense: [8108],
  Sphinx: [9306, 9312],
  Qdrant: [6333, 6334],
  Milvus: [19530],
  ZooKeeper: [2181, 2888, 3888],
  Kafka: [9092, 9093],
  RabbitMQ: [4369, 5671, 5672, 15671, 15672, 25672],
  NATS: [4222, 6222, 8222],
};

const owners: ReadonlyMap<string, string> = new Map(
  Object.entries(infrastructure).flatMap(([name, ports]) => ports.map((port) => [String(port), name])),
);

/** @param port as in a URL @returns the server that usually has this port, if it is one for private networks */
export function ownerOfPort(port: string): string | undefined {
  return owners.get(port);
}
