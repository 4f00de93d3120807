/** The way to a database, over TCP, that can be cut, fall silent, lead elsewhere, or hold back what goes one way. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Wire = {
  /** The database's URL, by this way. */
  url: string;
  /** Where new connections lead from now on. */
  leadTo(port: number): void;
  /** Swallows everything from now on, both ways, also on new connections; as a firewall does that drops packets. */
  silence(): void;
  /** Keeps back what clients send from now on. */
  hold(): void;
  /** What is held back, as text in which the names of statements can be found. */
  held(): string;
  /** Sends on what was held back, where its connection still stands, and goes on as before. */
  release(): void;
  /** Lets new connections through again; those on which something was swallowed stay broken. */
  mend(): void;
  close(): Promise<void>;
};

/** @param url of the database @param options.keepOpen leaves the database's end of a connection open when the client's breaks */
export async function startWire(url: string, options: { keepOpen?: boolean } = {}): Promise<Wire> {
  const target = new URL(url);
  let port = Number(target.port);
  let state: "open" | "silent" | "held" = "open";
  const sockets = new Set<Socket>();
  let kept: { chunk: Buffer; far: Socket }[] = [];

  const server = createServer((near) => {
    const far = connect(port, target.hostname);
    let dead = state === "silent";
    const isDead = () => {
      dead ||= state === "silent";
      return dead;
    };
    for (const socket of [near, far]) sockets.add(socket.on("error", () => undefined));
    near.on("data", (chunk) => {
      if (isDead()) return;
      if (state === "held") kept.push({ chunk, far });
      else far.write(chunk);
    });
    far.on("data", (chunk) => isDead() || near.write(chunk));
    far.on("close", () => dead || near.destroy());
    near.on("close", () => dead || (options.keepOpen && state === "held") || far.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    leadTo(other) {
      port = other;
    },
    silence() {
      state = "silent";
    },
    hold() {
      state = "held";
    },
    held: () => Buffer.concat(kept.map(({ chunk }) => chunk)).toString("latin1"),
    release() {
      state = "open";
      for (const { chunk, far } of kept) far.write(chunk);
      kept = [];
    },
    mend() {
      state = "open";
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
