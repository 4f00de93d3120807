/** Logs are numbered through the block, from 0 and without gaps: catches one left out between others. */
import { type Check, refuse } from "./check.ts";

export const checkLogIndex: Check = ({ receipts }) => {
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const wrong = logs.findIndex((log, place) => Number(log.logIndex) !== place);
  return wrong < 0 ? undefined : refuse(`has log ${Number(logs[wrong]?.logIndex)} at place ${wrong}`);
};
