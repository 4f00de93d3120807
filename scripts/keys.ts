/** `npm run keys`: makes, lists and revokes API keys. See commands/keys.ts. */
import { run } from "./commands/keys.ts";

process.exitCode = await run(process.argv.slice(2));
