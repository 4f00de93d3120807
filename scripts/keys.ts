/** `npm run keys`: makes, lists and revokes API keys. See commands/keys.ts. */
import { asProcess } from "./commands/as-process.ts";
import { run } from "./commands/keys.ts";

await asProcess(run);
