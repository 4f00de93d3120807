import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "has a shared secret that signs nothing",
  rules: ["callback-compatibility"],
  answer({ status, body }, { path }) {
    if (status === 200 && path === "/v1/shared-secret") body.secret = "5b".repeat(32);
  },
};
