/** All edits of the shop's document. */
import type { ShopEdit } from "./shop.ts";
import { notificationEdits } from "./shop-notifications.ts";
import { operationEdits } from "./shop-operations.ts";
import { requestEdits } from "./shop-requests.ts";
import { responseEdits } from "./shop-responses.ts";
import { wordEdits } from "./shop-words.ts";

export const shopEdits: readonly ShopEdit[] = [
  ...requestEdits,
  ...responseEdits,
  ...operationEdits,
  ...notificationEdits,
  ...wordEdits,
];
