/**
 * Serves the contract, its reference, and the site of the guides, compressed on the first request. A checkout without a built site has the
 * reference at /docs.
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

/** Where `npm run docs` and the build put the site. */
export const siteFolder = fileURLToPath(new URL("../../docs/site", import.meta.url));

const reference = join(generated, "docs.html");

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
 * By the name that HTTP has for each. Of the reference's 2.7 MB brotli leaves 649 kB in 0.07 s at this level, 625 kB in 0.2 s at 9, and
 * 567 kB in 4.7 s at 11; gzip leaves 728 kB in 0.05 s.
 */
const encodings = {
  br: (content: Buffer) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};
type Encoding = keyof typeof encodings;

/** The documents, and the paths that they are at. */
type Documents = { router: Router; paths: ReadonlySet<string> };

/**
 * @param options.site where the built site is; it may not exist
 * @param options.periods the service's, which the contract's sentences name; the defaults if not set
 * @throws when a generated document is missing
 */
export async function documents(options: { site?: string; periods?: Periods | undefined } = {}): Promise<Documents> {
  const { site = siteFolder, periods } = options;
  const files = await documentFiles(generated, site);
  const hasSite = files.has("/docs/");
  const router = Router({ caseSensitive: true, strict: true });
  router.use((request, response, next) => {
    const file = files.get(request.path);
    if (file === undefined) return next();
    if (request.method !== "GET" && request.method !== "HEAD") return getOnly(request, response, next);
    // Relative, for proxies that serve it below a path of their own.
    if (request.path === "/docs" && hasSite) return response.redirect(302, "docs/");
    return send(periods && isOfContract(file) ? { file, periods } : { file }, request, response);
  });
  return { router, paths: new Set(files.keys()) };
}

/** Every document's file, by its path. @param generated where the generated ones are */
async function documentFiles(generated: string, site: string): Promise<Map<string, string>> {
  const files = new Map([
    ["/docs", join(generated, "docs.html")],
    ["/docs/reference", join(generated, "docs.html")],
    ["/openapi.json", join(generated, "openapi.json")],
    ["/openapi.yaml", join(generated, "openapi.yaml")],
  ]);
  for (const file of files.values()) if (!existsSync(file)) throw new Error(`${file} is missing.`);
  if (!existsSync(site)) return files;
  const names = await readdir(site, { recursive: true });
  for (const name of names.filter((each) => extname(each) in types))
    files.set(`/docs/${name.replaceAll("\\", "/").replace(/(^|\/)index\.html$|\.html$/, "$1")}`, join(site, name));
  files.set("/llms.txt", join(site, "llms.txt"));
  return files;
}

const isOfContract = (file: string) => file.startsWith(join(generated, "/"));

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

function policyOf(file: string, content: Buffer): string {
  if (extname(file) !== ".html") return "default-src 'none'";
  return file === reference ? contentSecurityPolicy(content.toString()) : sitePolicy(content.toString());
}

async function send(sent: Sent, request: Request, response: Response): Promise<void> {
  const { content, hash, policy, encoded } = await once(loaded, JSON.stringify(sent), () => load(sent));
  const encoding = encodingFor(request);
  const body = encoding ? await once(encoded, encoding, () => encodings[encoding](content)) : content;
  // The names of the site's assets change with their content.
  const isHashed = request.path.startsWith("/docs/assets/");
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

/** The page's own scripts, as a `script-src` names them. */
export function scriptHashes(page: string): string[] {
  const scripts = [...page.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)];
  return scripts.map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}

/** Lets the reference run the scripts that it was generated with and no others, and talk to this service only. */
function contentSecurityPolicy(page: string): string {
  return [
    "default-src 'none'",
    `script-src ${scriptHashes(page).join(" ")}`,
    "style-src 'unsafe-inline'",
    "font-src data:",
    "worker-src blob:",
    ...everywhere,
  ].join("; ");
}

/** Lets a page of the site run its own scripts and those of its assets, and load nothing from elsewhere. */
function sitePolicy(page: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes(page).join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    ...everywhere,
  ].join("; ");
}

const everywhere = [
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
