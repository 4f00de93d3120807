/** What commands print: tables or JSON, with colours and progress where a person reads them. */
import { styleText } from "node:util";

/** Where people read. A file or a pipe has no `isTTY`. */
export type Stream = { isTTY?: boolean; columns?: number; hasColors?(): boolean; write(text: string): unknown };

type Colour = "bold" | "dim" | "red" | "green" | "yellow";

/** Colours a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/** The only door to colours. Colours a text where the stream has colours. */
export function coloured(colour: Colour, text: string, stream: Stream = process.stdout): string {
  return hasColours(stream) ? styleText(colour, text, { validateStream: false }) : text;
}

/** FORCE_COLOR decides, as in Node, and for files and pipes, too. Otherwise a terminal does: Node heeds NO_COLOR and TERM. */
function hasColours(stream: Stream): boolean {
  const forced = process.env.FORCE_COLOR;
  if (forced !== undefined) return ["", "1", "true", "2", "3"].includes(forced);
  return stream.isTTY === true && (stream.hasColors?.() ?? false);
}

/** The words of our states that are good, bad, or neither yet. */
const colours: Readonly<Record<string, Colour>> = {
  ...{ active: "green", delivered: "green", done: "green", up: "green", holds: "green" },
  ...{ failed: "red", failing: "red", fails: "red" },
  ...{ pending: "yellow", queued: "yellow", running: "yellow", slow: "yellow" },
  ...{ inactive: "dim" },
};

/** Colours a word by what it means, if it is one of our states. */
export function colouredState(word: string): string {
  const colour = colours[word.trim()];
  return colour ? coloured(colour, word) : word;
}

/** A row of a list, by its headings. What is undefined is left out of JSON, and empty in a table. */
export type Row = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Prints a list: as a table, or one JSON array for programs.
 *
 * @param list.rows for people
 * @param list.json the same for programs; the rows if not set
 * @param list.none what to say of an empty list, on standard error
 */
export function printList(list: { rows: readonly Row[]; json?: unknown; none?: string }, asJson = false): void {
  const { rows, json = rows, none } = list;
  if (asJson) console.log(JSON.stringify(json, null, 2));
  else if (rows.length === 0) none !== undefined && console.error(none);
  else for (const line of tableOf(rows)) console.log(line);
}

function tableOf(rows: readonly Row[]): string[] {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = headings.map((heading) => {
    const values = rows.map((row) => row[heading] ?? "");
    const texts = values.map((value) => printable(String(value)));
    const isNumber = values.every((value) => typeof value === "number" || value === "");
    const width = texts.reduce((most, { length }) => Math.max(most, length), heading.length);
    const pad = (text: string) => (isNumber ? text.padStart(width) : text.padEnd(width));
    return [coloured("bold", pad(heading)), ...texts.map((text) => colouredState(pad(text)))];
  });
  return [-1, ...rows.keys()].map((row) =>
    columns
      .map((cells) => cells[row + 1] ?? "")
      .join("  ")
      .trimEnd(),
  );
}

/** Whoever names a webhook must not be able to write control characters to a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}

/** Shows how far something is. */
export type Progress = {
  /** @param done of `total`; the same units @param leftMs how long the rest takes, if something else knows */
  update(done: number, total: number, leftMs?: number): void;
  /** Removes the line, so that something else can be printed. */
  clear(): void;
};

const redrawnEveryMs = 100;
/** Before, the time left would be a guess. */
const timedAfterMs = 2_000;

/**
 * Keeps one line on a terminal with what is done, and the time left at the pace so far. Elsewhere it prints nothing.
 *
 * @param unit what is counted, such as `blocks`
 */
export function createProgress(unit: string, stream: Stream = process.stderr, now = () => performance.now()): Progress {
  if (!stream.isTTY) return { update: () => undefined, clear: () => undefined };
  const startedAt = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let first: number | undefined;
  const clear = () => void stream.write("\r\u001b[K");
  return {
    clear,
    update(done, total, leftMs) {
      // What was done before, by a run that was interrupted, says nothing of the pace.
      first ??= done;
      if (now() - drawnAt < redrawnEveryMs && done < total) return;
      drawnAt = now();
      const elapsedMs = drawnAt - startedAt;
      const pace = (done - first) / elapsedMs;
      const guess = pace > 0 && elapsedMs >= timedAfterMs ? (total - done) / pace : undefined;
      const restMs = leftMs ?? guess;
      const left = restMs !== undefined && done < total ? `, about ${durationOf(restMs)} left` : "";
      const share = total > 0 ? Math.floor((100 * Math.min(done, total)) / total) : 100;
      const line = `${barOf(share, stream.columns)}${share} %  ${done} of ${total} ${unit}${left}`;
      stream.write(`\r\u001b[K${coloured("dim", line.slice(0, (stream.columns || 80) - 1), stream)}`);
    },
  };
}

const barWidth = 20;
/** A narrower terminal has no room for the bar. */
const barFromColumns = 72;

function barOf(share: number, columns = 0): string {
  if (columns < barFromColumns) return "";
  const full = Math.round((share * barWidth) / 100);
  return `[${"#".repeat(full)}${"-".repeat(barWidth - full)}] `;
}

/** @example durationOf(90_000) // "2 min" */
export function durationOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
