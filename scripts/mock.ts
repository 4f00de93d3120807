/** `npm run mock`: a mock of the API that can be trusted. See commands/mock.ts. */
import { run } from "./commands/mock.ts";

process.exitCode = await run(process.argv.slice(2));
