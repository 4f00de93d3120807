/** What tools answer, and how it becomes text: secrets cut out, strangers' data marked, the rest of a long answer kept for later. */
import { randomUUID } from "node:crypto";
import { asJson, marked, visible } from "./marked.ts";

/** The answer of a tool. */
export type ToolAnswer = {
  /** In our own words, or in the contract's. It must not hold a text that the service sent. */
  says: string;
  /** What the service sent. */
  data?: unknown;
  /** Whether the tool failed. */
  failed?: boolean;
};

/** An answer that the model can act on: the tool failed, and why. */
export class ToolFailure extends Error {
  readonly data: unknown;

  constructor(says: string, data?: unknown) {
    super(says);
    this.data = data;
  }
}

/** About 6,000 tokens: hosts cut off or refuse answers of more than 10,000 to 25,000. */
const maxPartLength = 20_000;
/** A page of the API can have some MB. */
const maxAnswers = 16;
const maxKeptLength = 32 * 1024 * 1024;

type Rest = { text: string; isData: boolean };

/** Turns answers into texts. */
export type Writer = {
  /** The text of an answer; for a long one its first part, and how to read on. */
  write(answer: ToolAnswer): string;
  /** The next part of a long answer. @throws {ToolFailure} */
  readOn(continuation: string): string;
};

/** @param redact see `redaction`; it sees each text whole, before it is cut into parts */
export function createWriter(redact: (text: string) => string): Writer {
  const kept = new Map<string, Rest>();

  function keep(rest: Rest): string {
    const continuation = randomUUID();
    kept.set(continuation, rest);
    const length = () => [...kept.values()].reduce((sum, { text }) => sum + text.length, 0);
    while (kept.size > maxAnswers || (kept.size > 1 && length() > maxKeptLength))
      for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
    return continuation;
  }

  function part({ text, isData }: Rest): string {
    const [shown, rest] = isData ? visiblePart(text) : cut(text);
    const body = isData ? marked(shown) : shown;
    if (rest === "") return body;
    const continuation = keep({ text: rest, isData });
    return `${body}\nThis is not all: at least ${rest.length} characters follow. Call read_more with ${JSON.stringify({ continuation })}.`;
  }

  return {
    write({ says, data }) {
      const said = redact(says);
      if (data === undefined) return part({ text: said, isData: false });
      const short = said.length > maxPartLength ? `${said.slice(0, maxPartLength)}…` : said;
      const json = jsonOf(data);
      if (json === undefined) return `${short}\nThe data of the answer is nested too deeply to be shown.`;
      return `${short}\n\n${part({ text: redact(json), isData: true })}`;
    },
    readOn(continuation) {
      const rest = kept.get(continuation);
      if (!rest)
        throw new ToolFailure("This continuation is unknown, or no longer kept. Make the call again that returned it.");
      return part(rest);
    },
  };
}

/** @returns undefined when it is nested too deeply */
function jsonOf(data: unknown): string | undefined {
  try {
    return asJson(data);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Escapes only what is shown, since that makes a text six times as long. What is escaped already stays so in the next part. */
function visiblePart(text: string): [shown: string, rest: string] {
  const [start, rest] = cut(text);
  const [shown, more] = cut(visible(start));
  return [shown, more + rest];
}

/** Cuts a part off, but not within a surrogate pair. */
function cut(text: string): [part: string, rest: string] {
  const unit = text.charCodeAt(maxPartLength - 1);
  const at = unit >= 0xd800 && unit <= 0xdbff ? maxPartLength - 1 : maxPartLength;
  return [text.slice(0, at), text.slice(at)];
}
