import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "clears the name at an empty update",
  rules: ["update-empty-changes-nothing"],
  request({ method, body }) {
    if (method === "PATCH" && body && Object.keys(body).length === 0) body.name = "";
    return undefined;
  },
};
