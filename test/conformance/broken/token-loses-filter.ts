import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "forgets the status of a list on its second page",
  rules: ["pagination-keeps-filter"],
  request(request) {
    if (request.path.includes("pageToken=")) request.path = request.path.replace(/([?&])status=[a-z]+&?/, "$1");
    return undefined;
  },
};
