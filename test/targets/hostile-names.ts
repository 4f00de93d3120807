/** Names by which somebody could have the service call what it must not: only their answers give them away, to who dials. */
import type { Answers } from "../support/name-server.ts";

/** Why creation refuses the URL: undefined where only dialling shows it. */
export type Refusal = "form" | "scheme" | "port" | "host" | undefined;

export type HostileUrl = { url: string; refusal: Refusal; names?: Record<string, Answers[]> };

const name = (hostname: string, ...answers: Answers[]): HostileUrl => ({
  url: `https://${hostname}:P/`,
  refusal: undefined,
  names: { [hostname.toLowerCase().replace(/\.$/, "")]: answers },
});

export const hostileNames: readonly HostileUrl[] = [
  name("loopback.example.com", { a: ["127.0.0.1"] }),
  name("loopback6.example.com", { aaaa: ["::1"] }),
  name("one-bad.example.com", { a: ["8.8.8.8", "1.1.1.1", "127.0.0.1", "9.9.9.9"] }),
  name("one-bad6.example.com", { a: ["8.8.8.8"], aaaa: ["2606:4700::1111", "::1"] }),
  name("good4-bad6.example.com", { a: ["8.8.8.8"], aaaa: ["fd00::1"] }),
  name("bad4-good6.example.com", { a: ["10.0.0.1"], aaaa: ["2606:4700::1111"] }),
  name("metadata.example.com", { a: ["169.254.169.254"] }),
  name("carrier.example.com", { a: ["100.64.0.1"] }),
  name("unspecified.example.com", { a: ["0.0.0.0"] }),
  name("unspecified6.example.com", { aaaa: ["::"] }),
  name("mapped.example.com", { aaaa: ["::ffff:127.0.0.1"] }),
  name("nat64.example.com", { aaaa: ["64:ff9b::7f00:1"] }),
  name("six-to-four.example.com", { aaaa: ["2002:7f00:1::"] }),
  name("teredo.example.com", { aaaa: ["2001::1"] }),
  name("isatap.example.com", { aaaa: ["2606:4700::5efe:7f00:1"] }),
  name("link-local.example.com", { aaaa: ["fe80::1"] }),
  name("multicast.example.com", { a: ["224.0.0.1"] }),
  name("alias.example.com", { cname: "inside.example.com", a: ["192.168.1.1"] }),
  name("dotted.example.com.", { a: ["127.0.0.1"] }),
  name("SHOUTED.example.com", { a: ["127.0.0.1"] }),
  name("127.0.0.1.example.com", { a: ["127.0.0.1"] }),
  name("xn--bcher-kva.example.com", { a: ["127.0.0.1"] }),
];
