import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "knows an identifier in lower case only",
  rules: ["id-in-any-case"],
  request(request) {
    const unknown = "00000000-0000-4000-8000-000000000000";
    const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
    request.path = request.path.replace(ids, (id) => (id === id.toLowerCase() ? id : unknown));
    return undefined;
  },
};
