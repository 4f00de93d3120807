/** Previews and explanations without a chain: it has no block, and no transaction either. */
import { readPreview, unknownBlock, unknownTransaction } from "chain-webhooks/server";
import type { components } from "chain-webhooks/types";
import { served } from "./service.ts";
import type { Stored } from "./store.ts";

export async function previewed(body: components["schemas"]["PreviewInput"]): Promise<never> {
  const { place } = await readPreview(body, served);
  throw "txHash" in place ? unknownTransaction(body.chainId) : unknownBlock(body.chainId);
}

export function explained({ record }: Stored): never {
  throw unknownTransaction(record.chainId);
}
