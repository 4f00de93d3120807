/** Next.js, in the folder pages. Its parser would leave an object. */
import { createNodeReceiver } from "chain-webhooks/receiver";
import { options } from "../../../options";

export default createNodeReceiver(options);
export const config = { api: { bodyParser: false } };
