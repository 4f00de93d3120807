/** The result as a badge, for a README: a small SVG without a font or an image from elsewhere. */
import type { Examined } from "../run.ts";
import { brokenRules } from "./outcome.ts";

const label = "conformance";
// The widths of the letters differ from font to font, so the text is fitted into what this comes to.
const widthOf = (text: string) => Math.round(text.length * 6.6) + 12;

/** The badge: `conformance passed`, or how many rules are broken. */
export function toBadge({ findings }: Examined): string {
  const broken = brokenRules(findings).length;
  const result = broken === 0 ? "passed" : `${broken} ${broken === 1 ? "rule" : "rules"} broken`;
  const [left, right] = [widthOf(label), widthOf(result)];
  const colour = broken === 0 ? "#1a7f37" : "#b62324";
  const text = (words: string, x: number, width: number) =>
    `<text x="${x + width / 2}" y="14" textLength="${width - 12}" lengthAdjust="spacingAndGlyphs">${words}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${result}">
<title>${label}: ${result}</title>
<clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="20" fill="#444c56"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
${text(label, 0, left)}${text(result, left, right)}
</g>
</svg>
`;
}
