import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "signs operational events with the new secret only after a rotation",
  rules: ["rotation-signs-with-both"],
  tell({ headers }) {
    headers["webhook-signature"] = (headers["webhook-signature"] ?? "").split(" ")[0] ?? "";
  },
};
