/** `npm run listen`: shows the notifications that arrive, and passes them on. See commands/listen.ts. */
import { asProcess } from "./commands/as-process.ts";
import { run } from "./commands/listen.ts";

await asProcess(run);
