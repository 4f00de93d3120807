/** Serves the contract, and the page made from it. */
import { createHash } from "node:crypto";
import { type RequestHandler, Router } from "express";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { readGenerated } from "./contract.ts";
import { getOnly } from "./no-such-route.ts";

const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("base64");

/** GET /docs, /openapi.json and /openapi.yaml. @throws when one of them is missing */
export async function documents(): Promise<Router> {
  const [page, json, yaml] = await Promise.all(["docs.html", "openapi.json", "openapi.yaml"].map(readGenerated));
  if (!page || !json || !yaml) throw new Error("A document is missing in generated/.");
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/docs", serve(page, "text/html; charset=utf-8", contentSecurityPolicy(page.toString())));
  router.get("/openapi.json", serve(json, "application/json; charset=utf-8"));
  router.get("/openapi.yaml", serve(yaml, "application/yaml; charset=utf-8"));
  router.all(["/docs", "/openapi.json", "/openapi.yaml"], getOnly);
  return router;
}

function serve(content: Buffer, type: string, policy = "default-src 'none'"): RequestHandler {
  const headers = {
    "content-type": type,
    "content-security-policy": policy,
    "cache-control": "no-cache",
    etag: `"${sha256(content)}"`,
  };
  return (_request, response) => void response.set(headers).send(content);
}
