import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "passes over fields and query parameters that it does not know",
  rules: ["unknown-field-refused"],
  request(request) {
    delete request.body?.colour;
    delete request.body?.metadata?.colour;
    request.path = request.path.replace("?colour=red", "");
    return undefined;
  },
};
