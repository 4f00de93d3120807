/** What the docs page may do, told to the browser by the service that serves it. */
import { createHash } from "node:crypto";

/** The page's own scripts, as a `script-src` names them. */
export function scriptHashes(page: string): string[] {
  const scripts = [...page.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)];
  return scripts.map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}

/** Lets the page run the scripts that it was generated with and no others, and talk to this service only. */
export function contentSecurityPolicy(page: string): string {
  return [
    "default-src 'none'",
    `script-src ${scriptHashes(page).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
