/** URLs by which somebody could have the service call what it must not, each with what is reported it when it is asked for. */
import { type HostileUrl, hostileNames, type Refusal } from "./hostile-names.ts";

/** `:P` is the port of a trap on all addresses of this machine. */
const of = (refusal: Refusal, ...urls: string[]): HostileUrl[] => urls.map((url) => ({ url, refusal }));
const host = (...hosts: string[]) => of("host", ...hosts.map((name) => `https://${name}:P/`));

const loopback = [
  ...host("127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0x7f.1", "0x7F.0x0.0x0.0x1"),
  ...host("0177.0.0.1", "017700000001", "0177.1", "127.0.0.1.", "0x7f000001.", "127.255.255.254", "127.000.000.001"),
  ...host(
    "0",
    "0x0",
    "0.0.0.0",
    "00",
    "0.0.0.0.",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.b.localhost",
    "127.0.0.01",
  ),
];

const lookAlikes = [
  // Fullwidth and circled digits, other dots, invisible characters, and percent-encoding: all of them are 127.0.0.1 or localhost.
  ...host(
    "１２７.0.0.1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127．0．0．1",
    "127｡0｡0｡1",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
  ),
  ...host(
    "ｌｏｃａｌｈｏｓｔ",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "local\u00adhost",
    "local\u200bhost",
    "loc%61lhost",
    "𝟙𝟚𝟟.𝟘.𝟘.𝟙",
    "０ｘ７ｆ.1",
  ),
  // Seen in no browser's address bar, and the same to a parser of URLs.
  ...of("form", "https:127.0.0.1:P/", "https:/127.0.0.1:P/", "https:///127.0.0.1:P/", "https://127.0.0.1\t:P/"),
  ...of("form", "https:\\\\127.0.0.1:P\\", "https://127.0.0.1:P\\@example.com/", " https://127.0.0.1:P/"),
];

const privateIpv4 = [
  ...host("10.0.0.1", "10.255.255.255", "0xa.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "3232235521"),
  ...host("100.64.0.1", "100.127.255.255", "0144.0100.0.1", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1"),
  ...host(
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
  ),
];

const metadata = [
  ...host("169.254.169.254", "169.254.169.254.", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "169.254.43518"),
  ...host(
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
    "192.80.8.124",
    "[fd00:ec2::254]",
    "[::ffff:169.254.169.254]",
  ),
  ...host("metadata.google.internal", "metadata", "instance-data.ec2.internal", "[64:ff9b::a9fe:a9fe]"),
];

const ipv6 = [
  ...host(
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::0001]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:10.0.0.1]",
  ),
  ...host(
    "[::ffff:8.8.8.8]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::8.8.8.8]",
  ),
  ...host(
    "[64:ff9b:1::10.0.0.1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
    "[2001::1]",
  ),
  ...host(
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fdff::1]",
    "[ff02::1]",
    "[ff0e::1]",
    "[100::1]",
    "[2001:db8::1]",
  ),
  ...host("[2001:2::1]", "[2001:10::1]", "[2001:20::1]", "[3fff::1]", "[5f00::1]", "[4000::1]", "[::8.8.8.8]"),
  ...host("[3ffe::1]", "[2000::1]", "[2d00::1]", "[2e00::1]", "[3000::1]"),
  ...host("[2606:4700::5efe:10.0.0.1]", "[2606:4700::200:5efe:7f00:1]"),
  ...of(
    "form",
    "https://[fe80::1%25eth0]:P/",
    "https://[::1]x:P/",
    "https://[127.0.0.1]:P/",
    "https://[::ffff:127.1]:P/",
  ),
];

const localNames = host(
  "printer.local",
  "db.internal",
  "nas.home.arpa",
  "localhost.localdomain",
  "intranet",
  "router.",
);

const tricks = [
  ...of("form", "https://user@example.com/", "https://:secret@example.com/", "https://example.com@127.0.0.1:P/"),
  ...of("form", "https://example.com:443@127.0.0.1:P/", "https://127.0.0.1:P@example.com/", "https://@127.0.0.1:P/"),
  ...of(
    "form",
    "https://example.com%40127.0.0.1:P/",
    "https://127.0.0.1%00.example.com:P/",
    "https://127.0.0.1%2f.example.com/",
  ),
  ...of("form", "https://", "https://:P/", "https://1.2.3.4.5:P/", "https://256.256.256.256/", "https://0x7f.0.0.1.0/"),
  ...of("scheme", "http://example.com/", "HTTP://example.com/", "http://127.0.0.1:P/"),
  ...of(
    "form",
    "ftp://127.0.0.1:P/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:P/_x",
    "javascript:alert(1)",
    "wss://127.0.0.1:P/",
  ),
  ...of("form", "data:text/plain,x", "unix:/var/run/docker.sock", "//127.0.0.1:P/", "127.0.0.1:P"),
];

const ports = [
  ...of(
    "port",
    "https://example.com:0/",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://example.com:0587/",
  ),
  ...of(
    "port",
    "https://example.com:6667/",
    "https://8.8.8.8:53/",
    "https://[2606:4700::1111]:110/",
    "https://example.com:2049/",
  ),
  ...of("port", "https://example.com:5432/", "https://8.8.8.8:6379/", "https://[2606:4700::1111]:27017/"),
  ...of("port", "https://example.com:2375/", "https://example.com:9200/", "https://example.com:011211/"),
  ...of(
    "form",
    "https://example.com:65536/",
    "https://example.com:99999/",
    "https://example.com:-1/",
    "https://example.com:+443/",
  ),
  ...of("form", "https://example.com:0x16/", "https://example.com:4４3x/"),
];

export const hostileUrls: readonly HostileUrl[] = [
  ...loopback,
  ...lookAlikes,
  ...privateIpv4,
  ...metadata,
  ...ipv6,
  ...localNames,
  ...tricks,
  ...ports,
  ...hostileNames,
];
