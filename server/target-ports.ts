/**
 * Ports that notifications never go to. Some belong to other protocols, whose servers could read a line of ours as a command: those
 * that browsers block (https://fetch.spec.whatwg.org/#port-blocking), such as 22 and 25. Others belong to servers for
 * private networks, often without a password.
 */
import { createRequire } from "node:module";

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
