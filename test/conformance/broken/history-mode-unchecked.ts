import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes a historyMode without a past, and headers and logs without event signatures",
  rules: ["history-mode-refused", "bad-request-400"],
  request({ method, path, body }) {
    // What is no mode at all is refused, as by others.
    const isMode = /^(complete|headers|logs)$/.test(body?.historyMode ?? "");
    if (method === "POST" && path === "/v1/webhooks" && isMode) delete body.historyMode;
    return undefined;
  },
};
