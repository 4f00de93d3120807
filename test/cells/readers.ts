/** Two processes with the role `read`: one publishes, the other takes over. */
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { followed } from "./cell.ts";

export type Readers = {
  /** Starts those that do not run. */
  start(): Promise<void>;
  /** Ends the one that publishes by SIGKILL, or both. */
  kill(which: "publishing" | "both"): Promise<void>;
  complaints(): string[];
  stop(): Promise<void>;
};

type Reader = { process: ServiceProcess; proxy: RpcProxy };

export async function startReaders(options: { nodeUrl: string; blocks: string }): Promise<Readers> {
  const proxies = [await startRpcProxy(options.nodeUrl), await startRpcProxy(options.nodeUrl)];
  let running: Reader[] = [];
  const complaints: string[] = [];

  async function startReader(proxy: RpcProxy): Promise<void> {
    const env = { ROLES: "read", BLOCKS: options.blocks, BLOCKS_REPLICAS: "3" };
    const process = await startServiceProcess("", [followed(proxy)], { env });
    const reader = { process, proxy };
    running.push(reader);
    void process.ended.then(({ code, signal }) => {
      if (running.includes(reader)) complaints.push(`a reader ended with ${code ?? signal}`);
    });
    await process.started;
  }

  /** The one that calls its node. */
  const publishing = () => running.toSorted((a, b) => b.proxy.calls.length - a.proxy.calls.length).slice(0, 1);

  const readers: Readers = {
    async start() {
      const idle = proxies.filter((proxy) => running.every((reader) => reader.proxy !== proxy));
      for (const proxy of proxies) proxy.calls.length = 0;
      for (const proxy of idle) await startReader(proxy);
    },
    async kill(which) {
      const killed = which === "both" ? running : publishing();
      running = running.filter((reader) => !killed.includes(reader));
      for (const { process } of killed) process.signal("SIGKILL");
      await Promise.all(killed.map(({ process }) => process.ended));
    },
    complaints: () => complaints,
    async stop() {
      await readers.kill("both");
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
  await readers.start();
  return readers;
}
