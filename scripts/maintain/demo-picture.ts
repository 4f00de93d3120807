/**
 * Makes the README's picture of the demo: runs it, keeps what it prints as a terminal would get it, and draws that as two SVGs, for light and for
 * dark pages. Lines appear one after the other, unless the reader prefers less motion. `npm run generate demo` makes them again, and
 * `test/demo.long.test.ts` says when the demo prints something else.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { run } from "../command/commands/demo.ts";

const images = new URL("../../docs/images/", import.meta.url);

/** A part of a line in one style. */
type Run = { text: string; styles: readonly string[] };

/** @returns the files @throws when the demo fails */
export async function writeDemoPictures(): Promise<string[]> {
  const lines = await recordDemo();
  const files = Object.entries(palettes).map(([name, palette]) => {
    return { path: fileURLToPath(new URL(`demo-${name}.svg`, images)), svg: pictureOf(lines, palette) };
  });
  for (const { path, svg } of files) await writeFile(path, svg);
  return files.map(({ path }) => path);
}

/** Runs the demo in this process, with a terminal that has colours. */
async function recordDemo(): Promise<string[]> {
  const { write, isTTY, hasColors } = process.stdout;
  let printed = "";
  delete process.env.FORCE_COLOR;
  Object.assign(process.stdout, {
    isTTY: true,
    hasColors: () => true,
    write: (text: string) => {
      printed += text;
      return true;
    },
  });
  try {
    const code = await run(["--once"]);
    if (code !== 0) throw new Error(`The demo ended with ${code}.`);
  } finally {
    Object.assign(process.stdout, { write, isTTY, hasColors });
  }
  return printed.trimEnd().split("\n");
}

const palettes = {
  light: {
    ...{ paper: "#ffffff", frame: "#d0d7de", ink: "#1f2328", dim: "#59636e" },
    ...{ green: "#1a7f37", yellow: "#9a6700", red: "#cf222e" },
  },
  dark: {
    ...{ paper: "#161b22", frame: "#3d444d", ink: "#e6edf3", dim: "#9198a1" },
    ...{ green: "#3fb950", yellow: "#d29922", red: "#f85149" },
  },
} as const;
type Palette = Record<keyof (typeof palettes)["light"], string>;

const command = "npm run demo";
/** In pixels. A character of a monospaced font is 0.6 of its size wide. */
const size = 14;
const lineHeight = 24;
const margin = 22;
/** So that all of it can be read after four seconds. The demo takes longer for its first lines, and less for the others. */
const secondsPerLine = 0.35;

/** @param lines as a terminal gets them, with codes for colours */
export function pictureOf(lines: readonly string[], palette: Palette): string {
  const all = [
    [
      { text: "$ ", styles: ["dim"] },
      { text: command, styles: ["bold"] },
    ],
    ...lines.map(runsOf),
  ];
  const widest = Math.max(...all.map((runs) => runs.reduce((sum, { text }) => sum + text.length, 0)));
  const width = Math.ceil(widest * size * 0.61 + 2 * margin);
  const height = all.length * lineHeight + 2 * margin;
  const colours = (["dim", "green", "yellow", "red"] as const).map(
    (name) => `    .${name} { fill: ${palette[name]}; }`,
  );
  const shown = all.map((runs, index) => {
    const y = margin + index * lineHeight + 17;
    const delay = index === 0 ? "" : ` style="animation-delay: ${(index * secondsPerLine).toFixed(2)}s"`;
    const spans = runs.map(({ text, styles }) =>
      styles.length === 0 ? escaped(text) : `<tspan class="${styles.join(" ")}">${escaped(text)}</tspan>`,
    );
    return `  <text x="${margin}" y="${y}" xml:space="preserve"${delay}>${spans.join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
  <title id="title">The demo in a terminal: two notifications arrive, the chain is reorganised, the third takes the second back.</title>
  <style>
    text { font: ${size}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: ${palette.ink}; }
    .bold { font-weight: 600; }
${colours.join("\n")}
    @media (prefers-reduced-motion: no-preference) {
      text { animation: appear 0.4s backwards; }
    }
    @keyframes appear { from { opacity: 0; } }
  </style>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${palette.paper}" stroke="${palette.frame}"/>
${shown.join("\n")}
</svg>
`;
}

/** The lines of a picture as they would be without colours, the command aside. */
export function linesInPicture(svg: string): string[] {
  const texts = [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, content = ""]) =>
    content
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&"),
  );
  return texts.slice(1);
}

/** The codes of a terminal that `terminal.ts` uses, each with what it switches on. */
const codes: Readonly<Record<string, string | undefined>> = {
  1: "bold",
  2: "dim",
  31: "red",
  32: "green",
  33: "yellow",
};

const start = "\u001b\\[";

function runsOf(line: string): Run[] {
  const on = new Set<string>();
  const runs: Run[] = [];
  for (const part of line.split(new RegExp(`(${start}\\d+m)`))) {
    const code = new RegExp(`^${start}(\\d+)m$`).exec(part)?.[1];
    const style = code && codes[code];
    if (style) on.add(style);
    // Whatever is not switched on is switched off; nothing here is nested.
    else if (code) on.clear();
    else if (part !== "") runs.push({ text: part, styles: [...on] });
  }
  return runs;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
