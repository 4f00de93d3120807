import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists five webhooks without a pageSize, and not ten",
  rules: ["pagination-default-size"],
  request(request) {
    if (request.path === "/v1/webhooks" && request.method === "GET") request.path += "?pageSize=5";
    return undefined;
  },
};
