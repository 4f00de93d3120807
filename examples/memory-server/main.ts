/**
 * The whole API in memory, held to the contract. It follows no chain, so all it sends is tests.
 *
 *   API_KEY=secret npx tsx main.ts
 */
import { memoryServer } from "./app.ts";

const key = process.env.API_KEY;
if (!key) throw new Error("Set API_KEY to the key that callers must send.");
const app = await memoryServer(new Map([[key, { scopes: ["read", "write"] }]]));

const port = Number(process.env.PORT || 5000);
app.listen(port, "127.0.0.1", () => console.log(`Listening at http://127.0.0.1:${port}`));
