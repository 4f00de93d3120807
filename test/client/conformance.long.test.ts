/** The mock can be trusted: a client cannot tell it from the service. */
import { readLimits } from "../../server/settings/limits.ts";
import { startApi } from "../support/api.ts";
import { startMock, startStatelessMock } from "../support/mock.ts";
import { describeState, quotas } from "./stateful-suite.ts";
import { describeApi } from "./suite.ts";

const limited = readLimits({
  WEBHOOK_QUOTA: String(quotas.webhooks),
  ADDRESS_QUOTA: String(quotas.addresses),
  RATE_LIMIT_KEY: "0",
  // Requests side by side are not what is limited here, however long the machine takes for each.
  MAX_CONCURRENT_REQUESTS: "100000",
});

describeApi("the service", async () => {
  const { url, keys, close } = await startApi();
  return { url, key: keys.both, close };
});

describeApi("the mock", async () => {
  const { url, close } = await startMock();
  return { url, key: "any", close };
});

describeApi("the mock without state", async () => {
  const { url, close } = await startStatelessMock();
  return { url, key: "any", close };
});

describeState("what was created, in the service", async () => {
  const { url, keys, close } = await startApi({ limits: limited });
  return { url, key: keys.both, close };
});

describeState("what was created, in the mock", async () => {
  const { url, close } = await startMock({ quotas });
  return { url, key: "any", close };
});
