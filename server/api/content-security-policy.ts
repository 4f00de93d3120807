/** The headers that limit what the pages may do. */
import { createHash } from "node:crypto";

/** The page's own scripts, as a `script-src` names them. */
export function scriptHashes(page: string): string[] {
  const scripts = [...page.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)];
  return scripts.map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}

/** Lets the reference run the scripts that it was generated with and no others, and talk to this service only. */
export function contentSecurityPolicy(page: string): string {
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
export function sitePolicy(page: string): string {
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
