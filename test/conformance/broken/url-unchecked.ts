import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "accepts any host and port in the url of an update",
  rules: ["url-refused"],
  request({ method, body }) {
    if (method === "PATCH" && /:22|\.invalid/.test(String(body?.url))) body.url = "https://receiver.example.com/";
    return undefined;
  },
};
