/** `npm run docs`: serves the docs page. See commands/docs.ts. */
import { asProcess } from "./commands/as-process.ts";
import { run } from "./commands/docs.ts";

await asProcess(run);
