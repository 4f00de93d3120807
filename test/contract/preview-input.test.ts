/** A preview's body is that of a creation and what to look at, so that one can be sent as the other. */
import { expect, test } from "vitest";
import { loadContract } from "../../server/contract/contract.ts";

type Schema = { properties: Record<string, unknown>; required: string[] };

test("a preview takes each field of a creation as it is there, and a transaction or a block beside them", async () => {
  const { schemas } = (await loadContract()).components as { schemas: Record<string, Schema> };
  const [created, previewed] = [schemas.WebhookCreate, schemas.PreviewInput];
  const { txHash, blockNumber, ...asCreated } = previewed?.properties ?? {};
  expect(asCreated).toEqual(created?.properties);
  expect([txHash, blockNumber]).toEqual([expect.anything(), expect.anything()]);
  expect(created?.required).toEqual(expect.arrayContaining(previewed?.required ?? []));
});
