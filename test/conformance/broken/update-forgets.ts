import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "clears the description at every update of the name",
  rules: ["update-leaves-the-rest"],
  request({ method, body }) {
    if (method === "PATCH" && typeof body?.name === "string") body.description ??= "";
    return undefined;
  },
};
