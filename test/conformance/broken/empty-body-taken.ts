import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes an empty body for an empty object",
  rules: ["malformed-json-400"],
  request(request) {
    const isUpdate = request.method === "PATCH" && !request.path.endsWith("/addresses");
    if (isUpdate && request.body === undefined) request.body = {};
    return undefined;
  },
};
