/** `npm run listen`: shows the notifications that arrive, and passes them on. See commands/listen.ts. */
import { run } from "./commands/listen.ts";

process.exitCode = await run(process.argv.slice(2));
