/**
 * Serves the contract, and the site of the guides with its reference, compressed on the first request. A checkout in which the site is not
 * built yet says how to build it.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Request, type Response, Router } from "express";
import { getOnly } from "../contract/error-mapper.ts";
import { areDefaultPeriods, type Periods, withPeriods } from "../settings/periods.ts";

const generated = fileURLToPath(new URL("../../generated", import.meta.url));

/** Where `npm run docs:build` and the build put the site. */
export const siteFolder = fileURLToPath(new URL("../../docs/site", import.meta.url));

/** The pages of the reference, their Markdown, and the scripts that draw them once the site is open: all have the contract's sentences. */
const ofReference = /^\/docs\/(assets\/)?reference[./_]|^\/docs\/reference$/;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".yaml": "application/yaml; charset=utf-8",
};

/**
 * By the name that HTTP has for each. Of the 179 kB of the reference's largest page brotli leaves 15 kB in 13 ms at this level, and 13 kB in
 * 950 ms at 11; gzip leaves 17 kB in 7 ms.
 */
const encodings = {
  br: (content: Buffer) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};
type Encoding = keyof typeof encodings;

/** The paths of the documents that people look for. */
export const documentPages = ["/docs", "/openapi.json", "/openapi.yaml"];

/** The documents, and the paths that they are at. */
type Documents = { router: Router; paths: ReadonlySet<string> };

/**
 * @param options.site where the built site is; it may not exist yet
 * @param options.periods the service's, which the contract's sentences name; the defaults if not set
 * @throws when a generated document is missing
 */
export async function documents(options: { site?: string; periods?: Periods | undefined } = {}): Promise<Documents> {
  const { site = siteFolder, periods } = options;
  const ofContract = new Map(["openapi.json", "openapi.yaml"].map((name) => [`/${name}`, join(generated, name)]));
  for (const file of ofContract.values()) if (!existsSync(file)) throw new Error(`${file} is missing.`);
  let ofSite = await siteFiles(site);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(async (request, response, next) => {
    const { path } = request;
    // A browser that opens the address of the API. Programs get the contract's 404.
    if (path === "/" && isReadOnly(request) && /\btext\/html\b/i.test(request.headers.accept ?? ""))
      return response.vary("accept").redirect(302, "docs/");
    const mayBeOfSite = path === "/docs" || path.startsWith("/docs/");
    // It may have been built since the last request.
    if (mayBeOfSite && ofSite.size === 0) ofSite = await siteFiles(site);
    const notBuilt = mayBeOfSite && ofSite.size === 0;
    const file = ofContract.get(path) ?? ofSite.get(path);
    if (file === undefined && !notBuilt) return next();
    if (!isReadOnly(request)) return getOnly(request, response, next);
    if (file === undefined) return sendNotBuilt(response);
    // Relative, for proxies that serve it below a path of their own.
    if (path === "/docs") return response.redirect(302, "docs/");
    const namesPeriods = ofContract.has(path) || ofReference.test(path);
    return send(periods && namesPeriods ? { file, periods } : { file }, request, response);
  });
  return { router, paths: new Set(["/docs", ...ofContract.keys(), ...ofSite.keys()]) };
}

const isReadOnly = ({ method }: Request) => method === "GET" || method === "HEAD";

/** The site's files, by their paths; none where it is not built. */
async function siteFiles(site: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  if (!existsSync(site)) return files;
  const names = await readdir(site, { recursive: true });
  for (const name of names.filter((each) => extname(each) in types))
    files.set(`/docs/${name.replaceAll("\\", "/").replace(/(^|\/)index\.html$|\.html$/, "$1")}`, join(site, name));
  return files.set("/docs", join(site, "index.html")).set("/llms.txt", join(site, "llms.txt"));
}

/** Asks again by itself, so that it is there as soon as it is built. Only a checkout can be without a site. */
function sendNotBuilt(response: Response): void {
  response.status(503).set({
    "content-type": types[".html"],
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-store",
  });
  response.send(`<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta http-equiv="refresh" content="3">
<title>Chain Webhooks</title>
<h1>The docs are not built yet</h1>
<p>Run <code>npm run docs:build</code> in the checkout, which takes about 15 seconds. This page then shows them by itself.</p>
</html>
`);
}

/** A file to send. @param periods to name in it, if they may differ from the published ones */
type Sent = { file: string; periods?: Periods };

/** What is sent of a file. All servers of a process with the same periods have the same ones. */
type Loaded = { content: Buffer; hash: string; policy: string; encoded: Map<Encoding, Promise<Buffer>> };
const loaded = new Map<string, Promise<Loaded>>();

async function load({ file, periods }: Sent): Promise<Loaded> {
  const published = await readFile(file);
  const isPublished = !periods || areDefaultPeriods(periods);
  const content = isPublished ? published : Buffer.from(withPeriods(published.toString(), periods));
  const hash = createHash("sha256").update(content).digest("base64");
  return { content, hash, policy: policyOf(file, content), encoded: new Map() };
}

/** Lets a page run its own scripts, load nothing from elsewhere, and ask only the service that it is from: its search, and trying an operation. */
function policyOf(file: string, content: Buffer): string {
  if (extname(file) !== ".html") return "default-src 'none'";
  const own = [...content.toString().matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${own.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function send(sent: Sent, request: Request, response: Response): Promise<void> {
  const { content, hash, policy, encoded } = await once(loaded, JSON.stringify(sent), () => load(sent));
  const encoding = encodingFor(request);
  const body = encoding ? await once(encoded, encoding, () => encodings[encoding](content)) : content;
  // The names of the site's assets change with their content, but not with the periods that an operator sets.
  const isHashed = request.path.startsWith("/docs/assets/") && !sent.periods;
  response.set({
    "content-type": types[extname(sent.file)],
    "content-security-policy": policy,
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "public, max-age=300",
    vary: "accept-encoding",
    // Each form has a tag of its own, since it has other bytes.
    etag: `"${encoding ? `${hash}-${encoding}` : hash}"`,
  });
  if (encoding) response.set("content-encoding", encoding);
  response.send(body);
}

/** Makes a value once, unless that fails. */
function once<K, V>(made: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const known = made.get(key);
  if (known) return known;
  const making = make();
  made.set(key, making);
  making.catch(() => made.delete(key));
  return making;
}

function encodingFor(request: Request): Encoding | undefined {
  if (request.acceptsEncodings("br")) return "br";
  return request.acceptsEncodings("gzip") ? "gzip" : undefined;
}
