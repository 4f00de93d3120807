/** Which addresses are public: the ranges that an attacker would aim at, in every spelling. */
import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import { assertChange } from "../server/contract/webhook-input.ts";
import { isPublicAddress, refusalOf, type TargetPolicy } from "../server/targets/targets.ts";

const assertTargetUrl = (url: string, policy: TargetPolicy) =>
  assertChange({ url }, { chainId: "", url }, { chains: [], ...policy });

test.each([
  "93.184.215.14",
  "8.8.8.8",
  "172.15.255.255",
  "172.32.0.1",
  "100.128.0.1",
  "2001:200::1",
  "2003::1",
  "240e::1",
  "2606:4700::1111",
  "2803:f800:50::1",
  "2a00:1450:4001::8a",
  "2c0f:fb50:4003::1",
])("%s is public", (ip) => {
  expect(isPublicAddress(ip)).toBe(true);
});

test.each([
  ["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1", "192.168.0.1"],
  ["192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"],
  ["255.255.255.255", "168.63.129.16", "192.80.8.124", "100.100.100.200"],
  [
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
  ],
  [
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
  ],
  ["fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "4000::1"],
  ["", "localhost", "example.com", "1.2.3", "[::1]"],
])("%s and its like are not", (...ips) => {
  expect(ips.filter(isPublicAddress)).toEqual([]);
});

test.each([
  ["https://127.1/", "https://0x7f000001/", "https://0177.0.0.1/", "https://2130706433/", "https://127.0.0.1./"],
  [
    "https://[::ffff:127.0.0.1]/",
    "https://[fe80::1]/",
    "https://LOCALHOST/",
    "https://x.localhost/",
    "https://localhost./",
  ],
  [
    "https://１２７.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1:8443/",
    "http://example.com/",
  ],
  ["https://example.com:99999/", "https://user@example.com/", "https://:secret@example.com/", "https://"],
])("a webhook's url cannot be %s or its like", (...urls) => {
  for (const url of urls) expect(() => assertTargetUrl(url, { allowPrivateTargets: false }), url).toThrow(/^url must /);
});

test.each([
  "https://example.com",
  "https://example.com:8443/a?b=c#d",
  "https://8.8.8.8/",
  "https://localhost.example.com/",
  "https://bücher.example.com/",
])("a webhook's url can be %s", (url) => {
  expect(() => assertTargetUrl(url, { allowPrivateTargets: false })).not.toThrow();
});

test("private targets and http can be allowed, names and passwords cannot", () => {
  expect(() => assertTargetUrl("http://localhost:3000/hook", { allowPrivateTargets: true })).not.toThrow();
  expect(() => assertTargetUrl("http://a:b@localhost:3000/hook", { allowPrivateTargets: true })).toThrow(/^url must /);
});

/**
 * What the IANA registries of special-purpose addresses (RFC 6890 and since) do not call globally reachable, what they keep for
 * one purpose that no endpoint has, and what IANA has given to nobody or was given back (RFC 3701).
 */
const special = [
  [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
  ],
  [
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
  ],
  [
    "::/128",
    "::1/128",
    "::ffff:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/32",
    "2001:2::/48",
    "2001:10::/28",
  ],
  [
    "2001:20::/28",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
  ],
  ["192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2001::/23", "2001:4:112::/48", "2620:4f:8000::/48"],
  ["100:0:0:1::/64", "2000::/16", "2100::/8", "2d00::/8", "2e00::/7", "3000::/4", "3ffe::/16", "4000::/3"],
].flat();

test.each(special)("nothing in %s is public, from its first address to its last", (block) => {
  const kind = block.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
  const last = block.includes(":") ? lastOf(block) : ipaddr.IPv4.broadcastAddressFromCIDR(block).toString();
  expect([kind.networkAddressFromCIDR(block).toString(), last].filter(isPublicAddress)).toEqual([]);
});

function lastOf(block: string): string {
  const [address, length] = ipaddr.IPv6.parseCIDR(block);
  const bytes = address.toByteArray().map((byte, at) => byte | (0xff >> Math.min(8, Math.max(0, length - 8 * at))));
  return new ipaddr.IPv6(bytes).toString();
}

test("an ISATAP address is not public, whatever its network", () => {
  expect(["2606:4700::5efe:a00:1", "2606:4700::200:5efe:7f00:1"].filter(isPublicAddress)).toEqual([]);
  expect(isPublicAddress("2606:4700:5efe::1")).toBe(true);
});

test("the usual ports of databases, caches, container and search engines are refused where private targets are", () => {
  const refused = [
    1433, 1521, 2181, 2375, 2376, 2379, 3306, 4222, 5432, 5672, 5984, 6379, 6443, 8086, 8200, 8500, 8983,
  ];
  refused.push(9042, 9092, 9200, 9300, 10_250, 11_211, 15_672, 26_257, 27_017, 33_060);
  const allowed = [1024, 3000, 4000, 5000, 8000, 8080, 8088, 8123, 8443, 8888, 9000, 9090, 9443, 50_000];
  const refusal = (port: number, allowPrivateTargets: boolean) =>
    refusalOf(`https://example.com:${port}/`, { allowPrivateTargets });
  expect([...refused, ...allowed].filter((port) => refusal(port, false))).toEqual(refused);
  expect(refusal(5432, false)).toBe("must have another port: 5432 is PostgreSQL's");
  expect(refused.filter((port) => refusal(port, true))).toEqual([]);
});

test("the ports of other protocols are those that browsers block", async () => {
  const refused = [0, 1, 22, 25, 53, 110, 143, 587, 2049, 6000, 6667, 10080];
  const allowed = [2, 80, 443, 1024, 3000, 8080, 8443, 50_000, 65_535];
  const isRefused = (port: number) => {
    const policy = { allowPrivateTargets: false, allowHttpTargets: true };
    return ["http", "https"].every((scheme) => refusalOf(`${scheme}://example.com:${port}/`, policy)?.includes("port"));
  };
  expect([...refused, ...allowed].filter(isRefused)).toEqual(refused);
  for (const port of refused.filter((port) => port > 0))
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { message: "bad port" } });
});

test("the refusal of another scheme names the schemes that are allowed", () => {
  const refusal = (allowHttpTargets: boolean) =>
    refusalOf("ftp://example.com/", { allowPrivateTargets: false, allowHttpTargets });
  expect([refusal(false), refusal(true)]).toEqual(["must be an https URL", "must be an http or https URL"]);
});
