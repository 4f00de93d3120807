import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes an address with a wrong checksum",
  rules: ["checksum-refused"],
  request({ body }) {
    const addresses = body?.metadata?.addresses;
    if (Array.isArray(addresses)) body.metadata.addresses = addresses.map(inLowerCase);
    return undefined;
  },
};

const inLowerCase = (address: unknown) =>
  typeof address === "string" && /^0x[0-9a-fA-F]{40}$/.test(address) ? address.toLowerCase() : address;
