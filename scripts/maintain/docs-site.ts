/** `npm run docs:build`: builds the site of the guides. See docs-site/build.ts. */
import { buildSite } from "./docs-site/build.ts";

console.log(`The site is in ${await buildSite()}`);
