import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "commits a change of addresses whatever they come to",
  rules: ["changes-into-the-expected"],
  request(request) {
    if (/\/addresses\/changes\//.test(request.path) && request.body?.addressDigest) delete request.body.addressDigest;
    return undefined;
  },
};
