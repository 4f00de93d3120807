import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "cuts spaces off a name, and composes its letters",
  rules: ["created-as-asked"],
  request(request) {
    const { body, method } = request;
    if (method === "POST" && typeof body?.name === "string")
      request.body = { ...body, name: body.name.trim().normalize("NFC") };
    return undefined;
  },
};
