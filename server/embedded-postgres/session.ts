/**
 * The connection that each of our processes keeps to the embedded server while using it. It holds a
 * shared lock there, so that a process that ends can see whether another one still needs the server. If a
 * process is killed, its lock vanishes.
 */
import { Client } from "pg";

/** An arbitrary pair of numbers, since advisory locks have no names. */
const lockKey = "77, 101";

/** Our claim on a running server. */
export type Session = {
  /** Resolves when the connection has ended: by `leave`, or because the server, or what served us in it, has died. */
  ended: Promise<void>;
  /** Ends the claim. @returns whether no other process has one; the server then accepts no new ones and can be stopped */
  leave(): Promise<boolean>;
};

/** Claims a server and creates the database unless it exists. @throws the server's or the network's error */
export async function joinServer(port: number, password: string, database: string): Promise<Session> {
  const place = { host: "127.0.0.1", port, user: "postgres", password, database: "postgres", ssl: false };
  const client = new Client({
    ...place,
    application_name: "chain-webhooks embedded",
    connectionTimeoutMillis: 5_000,
    statement_timeout: 60_000,
    query_timeout: 70_000,
  });
  client.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  try {
    await client.connect();
    if (!(await ask(client, `pg_try_advisory_lock_shared(${lockKey})`)))
      throw new Error("The server is shutting down.");
    await ensureDatabase(client, database);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  // It must not keep the process alive, except while it leaves and waits for the answer. The types lack both methods.
  const socket = client as Client & { ref(): void; unref(): void };
  socket.unref();
  return {
    ended,
    leave: () => {
      socket.ref();
      return leave(client);
    },
  };
}

async function ensureDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
  if (rowCount) return;
  await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error: { code?: string }) => {
    // Another process that started at the same moment was first (duplicate_database, unique_violation).
    if (error.code !== "42P04" && error.code !== "23505") throw error;
  });
}

async function leave(client: Client): Promise<boolean> {
  try {
    await client.query(`select pg_advisory_unlock_shared(${lockKey})`);
    // Held until the server is down and this connection with it.
    if (await ask(client, `pg_try_advisory_lock(${lockKey})`)) return true;
    await client.end();
    return false;
  } catch {
    return true;
  }
}

async function ask(client: Client, call: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(`select ${call} as answer`);
  return rows[0]?.answer === true;
}
