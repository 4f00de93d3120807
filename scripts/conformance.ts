/** `npm run conformance`: holds a server against the contract. See commands/conformance.ts. */
import { asProcess } from "./commands/as-process.ts";
import { run } from "./commands/conformance.ts";

await asProcess(run);
