import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "has a shared secret that signs nothing",
  rules: ["callback-compatibility"],
  answer({ body }, { path }) {
    if (path === "/v1/shared-secret") body.secret = "5b".repeat(32);
  },
};
