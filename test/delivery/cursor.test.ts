/** The cursor of an outbox: over everything that is done, and over nothing that is not. */
import { expect, test } from "vitest";
import { OutboxCursor } from "../../server/delivery/cursor.ts";

const open = () => new OutboxCursor({ chainId: "1", position: 10, recordedOn: "2026-01-01" }, 0);
const row = (position: number, recordedOn = "2026-01-02") => ({ position, recordedOn });

test("the cursor is before the first entry that is not done", () => {
  const cursor = open();
  const entries = [11, 13, 17].map((position) => cursor.add(row(position)));
  for (const index of [1, 2]) if (entries[index]) entries[index].done = true;
  expect(cursor.advance()).toBe(false);
  expect(cursor.position).toBe(10);
  if (entries[0]) entries[0].done = true;
  expect(cursor.advance()).toBe(true);
  expect(cursor).toMatchObject({ position: 17, recordedOn: "2026-01-02", entries: [] });
});

test("with everything done the cursor moves to where the outbox has been read", () => {
  const cursor = open();
  cursor.add(row(11)).done = true;
  cursor.noteRead(20, "2026-01-03");
  expect(cursor.advance()).toBe(true);
  expect(cursor).toMatchObject({ position: 20, recordedOn: "2026-01-03" });
  cursor.noteRecorded(20);
  expect(cursor.advance()).toBe(false);
});

test("an empty read does not move the cursor past an open entry", () => {
  const cursor = open();
  cursor.add(row(11));
  cursor.noteRead(20, "2026-01-03");
  expect(cursor.advance()).toBe(false);
  expect(cursor).toMatchObject({ position: 10, readPosition: 20 });
});
