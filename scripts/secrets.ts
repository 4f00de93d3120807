/** `npm run secrets`: encrypts the signing secrets of a service, or brings them under another key. See commands/secrets.ts. */
import { asProcess } from "./commands/as-process.ts";
import { run } from "./commands/secrets.ts";

await asProcess(run);
