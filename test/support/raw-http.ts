/** Sends bytes over a socket and reads what comes until the other side ends. */
import { connect, type Socket } from "node:net";
import type { Reply } from "./api.ts";

/** Opens a connection to a server, such as `http://127.0.0.1:3000`. */
export function openSocket(url: string): Socket {
  return connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
}

/** Reads until the other side ends, also where it does so without any manners. */
export async function untilEnd(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

/** Reads the one answer that is in a text. */
export function parseAnswer(text: string): Reply {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
  return { status: Number(statusLine.split(" ")[1]), headers, body: body === "" ? undefined : JSON.parse(body) };
}

/** Sends a request, or what is none, and reads the answer. */
export async function sendRaw(url: string, text: string): Promise<Reply> {
  const socket = openSocket(url);
  socket.write(text);
  return parseAnswer(await untilEnd(socket));
}
