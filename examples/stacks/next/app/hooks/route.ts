/** Next.js, in the folder app. */
import { createFetchReceiver } from "chain-webhooks/receiver";
import { options } from "../../../options";

export const POST = createFetchReceiver(options);
