/**
 * Announces work to the processes that deliver, by LISTEN and NOTIFY. Polling the tables every 25 ms instead took an idle process 30 ms of
 * processor time a second. An announcement is only a wake-up: the next poll finds what a lost one announced.
 */
import type pg from "pg";
import { connectApart, type Pool, type Queryable } from "../pool.ts";

/** The kind of work. A listener sends itself `nothing`, to check that announcements arrive. */
export type Work = "notifications" | "tests" | "nothing";

const channel = "chain_webhooks_work";
const retryMs = 1_000;

/**
 * Wakes the listeners of all processes. Call it after the commit: inside a transaction NOTIFY holds a lock of the whole server until
 * the commit is on disk. Never throws.
 *
 * @returns whether it succeeded
 */
export function announceWork(db: Queryable, work: Work): Promise<boolean> {
  return db.query("SELECT pg_notify($1, $2)", [channel, work]).then(
    () => true,
    () => false,
  );
}

/** @returns a function that announces notifications in the background, with at most one statement in flight */
export function createAnnouncer(pool: Pool): () => void {
  let announcing = false;
  let again = false;
  const announce = () => {
    again = announcing;
    if (announcing) return;
    announcing = true;
    void announceWork(pool, "notifications").then(() => {
      announcing = false;
      if (again) announce();
    });
  };
  return announce;
}

export type WorkListener = {
  /** Whether announcements arrive. Behind some connection poolers they never do. */
  hears(): boolean;
  stop(): void;
};

/** Listens on its own connection, and reconnects when it breaks. @param onWork called for each announcement */
export function listenForWork(pool: Pool, onWork: (work: Work) => void): WorkListener {
  let client: pg.Client | undefined;
  let hears = false;
  let stopped = false;

  async function listen(): Promise<void> {
    if (stopped) return;
    try {
      await connectApart(pool, (opened) => {
        client = opened;
        opened.on("notification", ({ payload }) => {
          if (stopped) return;
          hears = true;
          onWork(payload as Work);
        });
        // An error of the connection also ends it.
        opened.once("end", lose);
      });
      await client?.query(`LISTEN ${channel}`);
      await announceWork(pool, "nothing");
    } catch {
      if (client) end(client);
      lose();
    }
  }

  function lose(): void {
    hears = false;
    if (stopped || !client) return;
    client = undefined;
    setTimeout(listen, retryMs).unref();
  }

  void listen();
  return {
    hears: () => hears,
    stop() {
      stopped = true;
      hears = false;
      if (client) end(client);
    },
  };
}

// Do not wait for a database that does not answer.
const end = (client: pg.Client) => void client.end().catch(() => undefined);
