/** The mock delivers as the service does on a real chain: one suite for both. */
import { createKey } from "../../server/store/accounts/keys.ts";
import { describeDelivery } from "../client/delivery-suite.ts";
import { address } from "../support/api.ts";
import { startMock } from "../support/mock.ts";
import { startWorld, testChainId } from "../support/service.ts";

describeDelivery("deliveries of the service", async () => {
  const { service, wallet, followed, stop } = await startWorld();
  const { key } = await createKey(service.database.pool, { account: "client", scopes: ["read", "write"] });
  return {
    url: service.url ?? "",
    key,
    chainId: testChainId,
    addresses: [address(0xbeef)],
    async notify() {
      const { blockNumber } = await wallet.send(address(0xbeef) as `0x${string}`, 1n);
      await followed(blockNumber);
    },
    close: stop,
  };
});

describeDelivery("deliveries of the mock", async () => {
  const { url, control, close } = await startMock();
  const notify = (webhookId: string) => control.send({ webhookId });
  return { url, key: "any", chainId: "43114", addresses: [address(1)], notify, close };
});
