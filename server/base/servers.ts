/**
 * Creates every server. Node passes some sockets on without an error listener: those of CONNECT and Upgrade, and those of a plain TCP
 * server. A single reset would then crash the process. This module adds the listener before anything else has the socket. The linter
 * rejects other ways to create a server.
 */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createTcp, type Socket, type Server as TcpServer } from "node:net";

/** Answers a request. If it throws or rejects, only the connection ends. */
type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Creates an HTTP server that no connection can crash. */
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

/** Creates a TCP server that no connection can crash. */
export function createTcpServer(onConnection: (socket: Socket) => void): TcpServer {
  return guarded(createTcp()).on("connection", onConnection);
}

function guarded<S extends TcpServer>(server: S): S {
  // A reset closes the socket, so its users see "close".
  server.prependListener("connection", (socket: Socket) => socket.on("error", () => undefined));
  return server;
}
