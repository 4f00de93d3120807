/** Which addresses are public: the ranges that an attacker would aim at, in every spelling. */
import { expect, test } from "vitest";
import { assertTargetUrl } from "../server/http/target-url.ts";
import { isPublicAddress } from "../server/targets.ts";

test.each([
  "93.184.215.14",
  "8.8.8.8",
  "172.15.255.255",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700::1111",
  "2a00:1450:4001::8a",
])("%s is public", (ip) => {
  expect(isPublicAddress(ip)).toBe(true);
});

test.each([
  ["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1", "192.168.0.1"],
  ["192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"],
  ["255.255.255.255", "168.63.129.16", "100.100.100.200"],
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
  for (const url of urls) expect(() => assertTargetUrl(url, false), url).toThrow(/^url must /);
});

test.each([
  "https://example.com",
  "https://example.com:8443/a?b=c#d",
  "https://8.8.8.8/",
  "https://localhost.example.com/",
  "https://bücher.example/",
])("a webhook's url can be %s", (url) => {
  expect(() => assertTargetUrl(url, false)).not.toThrow();
});

test("private targets and http can be allowed, names and passwords cannot", () => {
  expect(() => assertTargetUrl("http://localhost:3000/hook", true)).not.toThrow();
  expect(() => assertTargetUrl("http://a:b@localhost:3000/hook", true)).toThrow(/^url must /);
});
