/** Draws lines over time, as SVG that needs nothing else. */

export type Line = { name: string; points: readonly (readonly [seconds: number, value: number])[] };

const [width, height] = [860, 320];
const inner = { left: 70, top: 40, right: 840, bottom: 280 };
// Distinct also without red or green.
const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/** @param unit of the values */
export function plot(title: string, unit: string, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points);
  const longest = Math.max(1, ...points.map(([seconds]) => seconds));
  const highest = roundUp(Math.max(1, ...points.map(([, value]) => value)));
  const x = (seconds: number) => inner.left + (seconds / longest) * (inner.right - inner.left);
  const y = (value: number) => inner.bottom - (value / highest) * (inner.bottom - inner.top);
  const levels = [0, 0.25, 0.5, 0.75, 1].map((part) => part * highest);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="${inner.left}" y="20" font-size="15">${title} (${unit})</text>
${levels.map((level) => `<path d="M${inner.left} ${y(level)}H${inner.right}" stroke="#dddddd"/><text x="${inner.left - 8}" y="${y(level) + 4}" text-anchor="end">${short(level)}</text>`).join("\n")}
${[0, 0.25, 0.5, 0.75, 1].map((part) => `<text x="${x(part * longest)}" y="${inner.bottom + 18}" text-anchor="middle">${Math.round(part * longest)} s</text>`).join("\n")}
${lines.map((line, index) => drawn(line, index)).join("\n")}
</svg>
`;

  function drawn({ name, points: own }: Line, index: number): string {
    const colour = colours[index % colours.length];
    const path = own.map(([seconds, value]) => `${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
    const at = inner.left + index * 190;
    return `<path d="${path && `M${path}`}" fill="none" stroke="${colour}" stroke-width="1.5"/>
<path d="M${at} ${height - 8}h20" stroke="${colour}" stroke-width="3"/><text x="${at + 26}" y="${height - 4}">${name}</text>`;
  }
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

const short = (value: number) =>
  value >= 10 || value === 0 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
