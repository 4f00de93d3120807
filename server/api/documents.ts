/**
 * Serves the contract, and the page made from it, compressed. The build makes the compressed files as small as can be; where there are none,
 * as in the repository, they are made when somebody first asks, quickly and once.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Request, type RequestHandler, Router } from "express";
import { readGenerated } from "../contract/contract.ts";
import { getOnly } from "../contract/no-such-route.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const served = {
  "/docs": { file: "docs.html", type: "text/html; charset=utf-8" },
  "/openapi.json": { file: "openapi.json", type: "application/json; charset=utf-8" },
  "/openapi.yaml": { file: "openapi.yaml", type: "application/yaml; charset=utf-8" },
};

/** Where they are, and what is sent. */
export const documentPaths: readonly string[] = Object.keys(served);
export const documentFiles: readonly string[] = Object.values(served).map(({ file }) => file);

const brotli = (content: Buffer, quality: number) =>
  promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

/**
 * By the name that HTTP has for each. Of the page's 2.7 MB brotli leaves 649 kB in 0.07 s at level 5, 625 kB in 0.2 s at 9, and 567 kB in
 * 4.7 s at 11; gzip leaves 728 kB in 0.05 s.
 */
export const encodings = {
  br: { ending: ".br", quick: (content: Buffer) => brotli(content, 5), small: (content: Buffer) => brotli(content, 9) },
  gzip: { ending: ".gz", quick: promisify(gzip), small: promisify(gzip) },
};
type Encoding = keyof typeof encodings;

/** GET /docs, /openapi.json and /openapi.yaml. @throws when one of them is missing */
export async function documents(): Promise<Router> {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, { file, type }] of Object.entries(served)) {
    const content = await readGenerated(file);
    const policy = file === "docs.html" ? contentSecurityPolicy(content.toString()) : "default-src 'none'";
    router.get(path, serve(file, content, { "content-type": type, "content-security-policy": policy }));
    router.all(path, getOnly);
  }
  return router;
}

/** What is compressed already, by file and encoding: all servers of a process have the same files. */
const compressed = new Map<string, Promise<Buffer>>();

function serve(file: string, content: Buffer, own: Record<string, string>): RequestHandler {
  const hash = createHash("sha256").update(content).digest("base64");
  const headers = { ...own, "cache-control": "public, max-age=300", vary: "accept-encoding" };
  return async (request, response) => {
    const encoding = encodingFor(request);
    // Each form has a tag of its own, since it has other bytes.
    response.set({ ...headers, etag: `"${encoding ? `${hash}-${encoding}` : hash}"` });
    if (!encoding) return void response.send(content);
    const key = `${file} ${encoding}`;
    const body = compressed.get(key) ?? compress(file, content, encoding);
    compressed.set(key, body);
    response.set("content-encoding", encoding).send(await body);
  };
}

function encodingFor(request: Request): Encoding | undefined {
  if (request.acceptsEncodings("br")) return "br";
  return request.acceptsEncodings("gzip") ? "gzip" : undefined;
}

async function compress(file: string, content: Buffer, encoding: Encoding): Promise<Buffer> {
  const { ending, quick } = encodings[encoding];
  return readGenerated(file + ending).catch(() => quick(content));
}
