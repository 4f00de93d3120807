/**
 * Makes every server of ours. Node hands some sockets over without an error listener: those of CONNECT and Upgrade, and those of a plain
 * TCP server. One reset would then be an uncaught exception and end the process. So the listener is added here, before anything else
 * has the socket. The linter refuses other ways to make a server.
 */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createTcp, type Socket, type Server as TcpServer } from "node:net";

/** Answers a request. What it throws, or rejects with, ends the connection and nothing else. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Makes an HTTP server that outlives whatever its connections do. */
export function createHttpServer(answer: Answer, options: ServerOptions = {}): Server {
  const server = guarded(createServer(options));
  const answerAll = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await answer(request, response);
    } catch {
      response.destroy();
    }
  };
  return server.on("request", answerAll).on("checkExpectation", answerAll);
}

/** Makes a TCP server that outlives whatever its connections do. */
export function createTcpServer(onConnection: (socket: Socket) => void): TcpServer {
  return guarded(createTcp()).on("connection", onConnection);
}

function guarded<S extends TcpServer>(server: S): S {
  // A reset ends the socket, which whoever uses it learns by its "close".
  server.prependListener("connection", (socket: Socket) => socket.on("error", () => undefined));
  return server;
}
