import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "resumes a webhook at every update of its description",
  rules: ["update-leaves-the-rest"],
  request({ method, body }) {
    if (method === "PATCH" && typeof body?.description === "string") body.status ??= "active";
    return undefined;
  },
};
