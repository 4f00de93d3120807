import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists 101 addresses without a pageSize, and not 100",
  rules: ["pagination-default-size"],
  request(request) {
    if (/\/addresses$/.test(request.path) && request.method === "GET") request.path += "?pageSize=101";
    return undefined;
  },
};
