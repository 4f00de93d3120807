/** Names that clients made up, as messages show them. */

const longest = 100;

/** Cuts a name that is long, and shows what is no visible character as one that is. */
export function shownName(name: string): string {
  const short = name.length > longest ? `${name.slice(0, longest)}…` : name;
  return short.replaceAll(/[\p{Control}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}]/gu, "\ufffd");
}
