/** `npm run docs`: serves the docs page. See commands/docs.ts. */
import { run } from "./commands/docs.ts";

process.exitCode = await run(process.argv.slice(2));
