/**
 * Tells large answers apart without parsing them: as objects they are many times as large as as text, and who parses one after the
 * other, and lets each go, has hardly any of that for the garbage collector to copy.
 */

/** The text of one JSON-RPC answer, not parsed, and the `id` it seems to have. */
export type AnswerText = { id: number; text: string };

/** What is shorter is parsed at once: nothing is gained by waiting, and errors are among them. */
const largeFrom = 64 * 1024;
/** What stands between two answers of a batch, and what an answer begins with; other nodes' batches are parsed whole. */
const seam = '},{"';
const beginnings = ['{"jsonrpc":', '{"id":'];
const idAtBegin = /^\{(?:"jsonrpc":"2\.0",)?"id":(\d{1,9}),/;
const idAtEnd = /,"id":(\d{1,9})(?:,"jsonrpc":"2\.0")?\}$/;

export const isLarge = (text: string): boolean => text.length >= largeFrom;

/**
 * @param count how many answers there should be
 * @returns them in their order; undefined where they cannot be told apart for sure, or none is large. If each of them can be
 *   parsed, then they are what the whole would be parsed to
 */
export function answersIn(text: string, count: number): AnswerText[] | undefined {
  const whole = text.trim();
  if (!isLarge(whole) || !whole.startsWith("[{") || !whole.endsWith("}]")) return undefined;
  const answers: AnswerText[] = [];
  let from = 1;
  for (let at = whole.indexOf(seam); at >= 0; at = whole.indexOf(seam, at + seam.length)) {
    if (!beginnings.some((beginning) => whole.startsWith(beginning, at + 2))) continue;
    answers.push(answerOf(whole.slice(from, at + 1)));
    from = at + 2;
  }
  answers.push(answerOf(whole.slice(from, -1)));
  const ids = new Set(answers.map(({ id }) => id));
  return answers.length === count && ids.size === count && !ids.has(-1) ? answers : undefined;
}

function answerOf(text: string): AnswerText {
  const [, id = "-1"] = idAtBegin.exec(text.slice(0, 50)) ?? idAtEnd.exec(text.slice(-50)) ?? [];
  return { id: Number(id), text };
}
