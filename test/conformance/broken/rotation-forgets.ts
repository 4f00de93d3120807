import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "signs with the new secret only after a rotation",
  rules: ["rotation-signs-with-both"],
  notify({ headers }) {
    headers["webhook-signature"] = String(headers["webhook-signature"]).replace(/ .*/, "");
  },
};
