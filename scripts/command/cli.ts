/** `npm run cli COMMAND`: see run.ts. */
import { asProcess } from "./as-process.ts";
import { run } from "./run.ts";

await asProcess(run);
