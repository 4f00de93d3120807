/** A DNS server on loopback, which answers what a test says, and remembers what it was asked. */
import { createServer, Packet } from "dns2";

/** The addresses of a name. Given in turns, the first question for each kind of address gets the first, the last one stays. */
export type Answers = { a?: string[]; aaaa?: string[]; cname?: string };

export type NameServer = {
  /** As `NAME_SERVERS` has it. */
  address: string;
  /** By name in lower case, without the last dot. */
  names: Map<string, Answers[]>;
  /** Such as `aaaa example.com`. */
  asked: string[];
  close(): Promise<void>;
};

export async function startNameServer(): Promise<NameServer> {
  const names: NameServer["names"] = new Map();
  const asked: string[] = [];
  const server = createServer({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      if (!question) return send(response);
      const name = question.name.toLowerCase().replace(/\.$/, "");
      const kind = question.type === Packet.TYPE.AAAA ? "aaaa" : "a";
      const before = asked.filter((one) => one === `${kind} ${name}`).length;
      asked.push(`${kind} ${name}`);
      const turns = names.get(name) ?? [];
      const answers = turns[Math.min(before, turns.length - 1)];
      const answer = (record: Parameters<typeof Packet.createResourceFromQuestion>[1]) =>
        response.answers.push(Packet.createResourceFromQuestion(question, { ttl: 0, ...record }));
      if (answers?.cname) answer({ type: Packet.TYPE.CNAME, domain: answers.cname });
      for (const address of answers?.[kind] ?? []) answer({ name: answers?.cname ?? name, address });
      if (!answers) response.header.rcode = Packet.RCODE.NXDOMAIN;
      return send(response);
    },
  });
  const { udp } = await server.listen({ udp: { port: 0, address: "127.0.0.1" } });
  return {
    address: `127.0.0.1:${udp?.port}`,
    names,
    asked,
    async close() {
      await server.close();
    },
  };
}
