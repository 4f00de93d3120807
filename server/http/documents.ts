/**
 * Serves the contract, and the page made from it, compressed. The build makes the compressed files as small as can be; where there are none,
 * as in the repository, they are made when somebody first asks, quickly and once.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Request, type RequestHandler, Router } from "express";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { readGenerated } from "./contract.ts";
import { getOnly } from "./no-such-route.ts";

const served = {
  "/docs": { file: "docs.html", type: "text/html; charset=utf-8" },
  "/openapi.json": { file: "openapi.json", type: "application/json; charset=utf-8" },
  "/openapi.yaml": { file: "openapi.yaml", type: "application/yaml; charset=utf-8" },
};

/** Where they are. */
export const documentPaths: readonly string[] = Object.keys(served);

/** By the name that HTTP has for each; the one that makes least of a text comes first. */
const encodings = {
  br: {
    ending: ".br",
    compress: promisify(brotliCompress),
    quick: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
  },
  gzip: { ending: ".gz", compress: promisify(gzip), quick: {} },
} as const;
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
  const { ending, compress, quick } = encodings[encoding];
  return readGenerated(file + ending).catch(() => compress(content, quick));
}
