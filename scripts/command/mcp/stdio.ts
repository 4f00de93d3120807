/** Serves over standard input and output, until the input ends. What is not in the SDK's transport is done around it. */
import { Transform, type TransformCallback } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Sdk } from "./sdk.ts";
import { maxCallMs } from "./server.ts";

/** The API takes bodies of 1 MiB; a receipt with all its logs can be larger. The SDK ends the connection after 10 MiB. */
const maxLineBytes = 8 * 1024 * 1024;
/** How long the calls in flight may take to end once the input has: as long as any call, and a little to write its answer. */
const graceMs = maxCallMs + 5_000;

/** Where to serve. */
export type Streams = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };

/**
 * Serves until the input ends or a signal does, and lets calls in flight end first. Whoever pipes requests gets the answers.
 *
 * @param log gets a sentence about each line that is no message
 */
export async function serveStdio(
  sdk: Sdk,
  server: InstanceType<Sdk["Server"]>,
  { input, output }: Streams,
  { stop, log }: { stop: Promise<unknown>; log: (line: string) => void },
): Promise<void> {
  // The SDK adds a listener for each answer that waits for a slow reader. Node would warn of a leak.
  output.setMaxListeners(0);
  const lines = input.pipe(boundedLines(() => log(`Ignored a line of more than ${maxLineBytes} bytes.`)));
  const ended = new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) lines.once(event, resolve);
    for (const event of ["close", "error"]) input.once(event, resolve);
  });
  type Arguments = ConstructorParameters<Sdk["StdioServerTransport"]>;
  const transport = new sdk.StdioServerTransport(lines as unknown as Arguments[0], output as unknown as Arguments[1]);
  const unanswered = trackAnswers(transport);
  await server.connect(transport);
  await Promise.race([
    stop,
    ended.then(() => Promise.race([stop, wait(graceMs, undefined, { ref: false }), unanswered.none()])),
  ]);
  await server.close();
  // An input that is read keeps the process alive.
  input.unpipe(lines);
  input.pause();
}

/** Passes lines on as they come, but for those that are too long. */
function boundedLines(onTooLong: () => void): Transform {
  let held: Buffer[] = [];
  let length = 0;
  let dropping = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        if (!dropping) {
          held.push(chunk.subarray(from, end + 1));
          this.push(Buffer.concat(held));
        }
        [held, length, dropping, from] = [[], 0, false, end + 1];
      }
      const rest = chunk.subarray(from);
      length += rest.length;
      if (!dropping && length > maxLineBytes) {
        [held, dropping] = [[], true];
        onTooLong();
      } else if (!dropping && rest.length > 0) held.push(rest);
      done();
    },
    // The SDK reads no line without its end, which the last one of a file may lack.
    flush(done: TransformCallback) {
      if (held.length > 0) this.push(Buffer.concat([...held, Buffer.from("\n")]));
      done();
    },
  });
}

type Transport = InstanceType<Sdk["StdioServerTransport"]>;

/** Follows which requests have no answer yet. A cancelled one gets none. */
function trackAnswers(transport: Transport): { none(): Promise<void> } {
  const open = new Set<RequestId>();
  let onNone: (() => void) | undefined;
  const answered = (id: unknown) => {
    open.delete(id as RequestId);
    if (open.size === 0) onNone?.();
  };
  // The server calls it before its own.
  transport.onmessage = (message: JSONRPCMessage) => {
    if (!("method" in message)) return;
    if ("id" in message) open.add(message.id);
    else if (message.method === "notifications/cancelled") answered(message.params?.requestId);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if ("id" in message && !("method" in message)) answered(message.id);
  };
  return {
    none: () =>
      new Promise((resolve) => {
        onNone = resolve;
        if (open.size === 0) resolve();
      }),
  };
}
