/** `npm run conformance`: holds a server against the contract. See commands/conformance.ts. */
import { run } from "./commands/conformance.ts";

process.exitCode = await run(process.argv.slice(2));
