/** AWS Lambda: behind a function URL, API Gateway or a load balancer. */
import { createLambdaReceiver } from "chain-webhooks/receiver";
import { options } from "./options.ts";

export const handler = createLambdaReceiver(options);
