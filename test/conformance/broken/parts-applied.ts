import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "applies each part of a change of addresses as it comes",
  rules: ["changes-in-parts"],
  request(request) {
    const [, webhook] = /^(\/v1\/webhooks\/[^/]+\/addresses)\/changes\//.exec(request.path) ?? [];
    if (webhook && request.body?.add && !request.body.commit) request.body.commit = true;
    return undefined;
  },
};
