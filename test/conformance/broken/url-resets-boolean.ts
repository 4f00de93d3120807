import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "switches the logs off at every update of the URL",
  rules: ["update-leaves-the-rest"],
  request({ method, body }) {
    if (method === "PATCH" && typeof body?.url === "string") body.includeLogs ??= false;
    return undefined;
  },
};
