/** URLs that look like hostile ones and are not. */

export const goodUrls: readonly string[] = [
  "https://example.com",
  "https://example.com:8443/a?b=c#d",
  "https://EXAMPLE.com./hooks",
  "https://xn--bcher-kva.example/",
  "https://8.8.8.8/",
  "https://8.8.8.8:65535/",
  "https://172.15.255.255/",
  "https://172.32.0.1:1024/",
  "https://100.128.0.1/",
  "https://[2606:4700::1111]/",
  "https://[2a00:1450:4001:0:5efe::8a]:8443/",
  "https://localhost.example.com/",
  "https://internal.example.com/local",
  "https://example.com/?to=https://user@127.0.0.1/",
  "https://example.com/#@127.0.0.1",
  "https://127.0.0.1.example.com/",
];
