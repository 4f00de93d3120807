/** `npm run docs:build`: builds the site of the guides and the reference. See docs-site/build.ts. */
import { buildSite } from "./docs-site/build.ts";

const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

const folder = await buildSite(stopped.signal).catch((error: unknown) => {
  if (!stopped.signal.aborted) throw error;
  process.exit(130);
});
console.log(`The site is in ${folder}`);
