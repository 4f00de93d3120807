/** The same bodies, signed and sent by undici alone: `url count`, 128 at once. Says when it is done. */
import { eventText, postAlone } from "./post-alone.ts";

const [url = "", count = "0"] = process.argv.slice(2);
const post = postAlone(url);
let next = 0;
async function send(): Promise<void> {
  while (next < Number(count)) await post(eventText(next++));
}
await Promise.all(Array.from({ length: 128 }, send));
process.send?.({ done: true });
process.disconnect();
process.exit(0);
