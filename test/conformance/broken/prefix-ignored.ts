import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers with the digests of all addresses, whatever the prefix",
  rules: ["digests-by-prefix", "digest-of-addresses"],
  request(request) {
    request.path = request.path.replace(/(\/digests)\?prefix=0x.*/, "$1");
    return undefined;
  },
};
