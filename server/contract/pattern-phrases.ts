/**
 * The contract's patterns in words, for error messages. A test sees to it that none is missing: every pattern that a request
 * can fail stands here, exactly as in the contract.
 */
export const patternPhrases: ReadonlyMap<string, string> = new Map([
  ["^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$", "a UUID"],
  ["^0x[0-9a-fA-F]{40}$", "an address, 0x and 40 hex digits"],
  ["^0x[0-9a-fA-F]{64}$", "a hash, 0x and 64 hex digits"],
  ["^(0|[1-9][0-9]{0,18})$", "a block's number, at most 19 decimal digits"],
  ["^[1-9][0-9]{0,18}$", "a chain's identifier in decimal digits"],
  [String.raw`^[hH][tT][tT][pP][sS]?://[^\s/?#@]+([/?#]\S*)?$`, "an https URL without user name or password"],
  [String.raw`^[^\u0000]*$`, "a text without NUL characters"],
  ["^[!-~]+$", "visible ASCII characters without spaces"],
]);
