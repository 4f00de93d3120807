/** `npm start`: the service as a process. See process.ts. */
import { runService } from "./process.ts";

process.exit(await runService(process.env));
