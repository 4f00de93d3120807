import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "knows an identifier in lower case only",
  rules: ["id-in-any-case"],
  request(request) {
    if (/[A-F]/.test(request.path)) request.path = `${request.path.slice(0, 13)}00000000-0000-4000-8000-000000000000`;
    return undefined;
  },
};
