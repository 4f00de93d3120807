/** `npm run accounts`: lists accounts, and sets how much each may have. See commands/accounts.ts. */

import { run } from "./commands/accounts.ts";
import { asProcess } from "./commands/as-process.ts";

await asProcess(run);
