/** Host names that can never resolve, so that a webhook there could never be notified. */

/** Whether names of a private DNS count. */
type Scope = { allowPrivateTargets: boolean };

// RFC 1035: a query has no room for longer names or labels, or for empty ones.
const longestName = 253;
// RFC 1123 and more: names with an underscore, or a hyphen at either end, exist and resolve. Resolvers drop answers for names with
// other characters. A * stands for many names, not for one.
const label = /^[a-z0-9_-]{1,63}$/i;
// IANA's special-use domain names: reserved as non-existent (RFC 6761), or resolved by other means than DNS (RFC 7686, RFC 9476).
const neverDelegated = /\.(invalid|onion|alt)$/i;
// RFC 6761: reserved for tests and documentation. A private DNS may have them.
const neverPublic = /\.(test|example)$/i;

/**
 * Why a name can never resolve, whatever is in the DNS.
 *
 * @param hostname as a URL has it, in ASCII; a literal address needs no resolving
 * @returns what the name must be, as the end of a sentence; undefined for one that may resolve
 * @example
 * unresolvable("a..b", { allowPrivateTargets: false }); // "must have a host name whose labels are 1 to 63 letters, digits, …"
 */
export function unresolvable(hostname: string, { allowPrivateTargets }: Scope): string | undefined {
  if (hostname.startsWith("[")) return undefined;
  const name = hostname.replace(/\.$/, "");
  if (name.length > longestName) return `must have a host name of at most ${longestName} characters`;
  if (!name.split(".").every((part) => label.test(part)))
    return "must have a host name whose labels are 1 to 63 letters, digits, hyphens or underscores";
  const [special] =
    neverDelegated.exec(`.${name}`) ?? (allowPrivateTargets ? null : neverPublic.exec(`.${name}`)) ?? [];
  return special && `must have a host name that can resolve, which none in ${special.toLowerCase()} does`;
}
