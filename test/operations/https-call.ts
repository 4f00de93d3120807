/** Requests through a proxy that ends TLS. */
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";

export type Call = {
  /** One of this machine's addresses, to send from. */
  client?: string;
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
};

/** No status while nobody listens. */
export type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: string };

/** @param authority the file of the certificate that signed the proxy's */
export async function httpsCall(port: number, authority: string, call: Call): Promise<Answer> {
  const { client = "127.0.0.1", method = "GET", path = "/v1/chains", headers = {}, body } = call;
  const where = { host: "127.0.0.1", port, localAddress: client, servername: "localhost", agent: false } as const;
  const ca = await readFile(authority);
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, ca, method, path, headers }, (answer) => {
      const { statusCode: status, headers } = answer;
      text(answer).then((read) => resolve({ status, headers, body: read }), reject);
    });
    sent.on("error", (error) => resolve({ status: undefined, headers: {}, body: error.message }));
    sent.end(body);
  });
}
