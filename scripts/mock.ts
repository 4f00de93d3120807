/** `npm run mock`: a mock of the API that can be trusted. See commands/mock.ts. */
import { asProcess } from "./commands/as-process.ts";
import { run } from "./commands/mock.ts";

await asProcess(run);
