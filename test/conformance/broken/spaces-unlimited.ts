import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes a body with 300 KiB of spaces",
  rules: ["body-limits"],
  request(request) {
    const { body } = request;
    if (typeof body === "string" && body.length > 280_000 && body.length < 320_000) request.body = body.trim();
    return undefined;
  },
};
