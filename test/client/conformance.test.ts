/** The mock can be trusted: a client cannot tell it from the service by anything that needs no state. */
import { startApi } from "../support/api.ts";
import { startMock } from "../support/mock.ts";
import { describeApi } from "./suite.ts";

describeApi("the service", async () => {
  const { url, keys, close } = await startApi();
  return { url, key: keys.both, close };
});

describeApi("the mock", async () => {
  const { url, close } = await startMock();
  return { url, key: "any", close };
});
