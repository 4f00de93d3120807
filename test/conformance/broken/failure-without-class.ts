import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "does not say what went wrong when an endpoint closes the connection",
  rules: ["test-result"],
  answer({ body }) {
    if (body.delivered === false && body.responseStatus === undefined) delete body.errorClass;
  },
};
