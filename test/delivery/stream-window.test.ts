/** The cursor of a stream: over everything that is done, and over nothing that is not. */
import { expect, test } from "vitest";
import { addEntry, advanceWindow, noteRead, openWindow } from "../../server/delivery/stream-window.ts";

const open = () => openWindow({ chainId: "1", position: 10, recordedOn: "2026-01-01" }, 0);
const row = (position: number, recordedOn = "2026-01-02") => ({ position, recordedOn });

test("the cursor is before the first entry that is not done", () => {
  const window = open();
  const entries = [11, 13, 17].map((position) => addEntry(window, row(position)));
  for (const index of [1, 2]) if (entries[index]) entries[index].done = true;
  expect(advanceWindow(window)).toBe(false);
  expect(window.position).toBe(10);
  if (entries[0]) entries[0].done = true;
  expect(advanceWindow(window)).toBe(true);
  expect(window).toMatchObject({ position: 17, recordedOn: "2026-01-02", entries: [] });
});

test("with everything done the cursor moves to where the stream has been read", () => {
  const window = open();
  addEntry(window, row(11)).done = true;
  noteRead(window, 20, "2026-01-03");
  expect(advanceWindow(window)).toBe(true);
  expect(window).toMatchObject({ position: 20, recordedOn: "2026-01-03" });
  window.written = 20;
  expect(advanceWindow(window)).toBe(false);
});

test("an empty read does not move the cursor past an open entry", () => {
  const window = open();
  addEntry(window, row(11));
  noteRead(window, 20, "2026-01-03");
  expect(advanceWindow(window)).toBe(false);
  expect(window).toMatchObject({ position: 10, readPosition: 20 });
});
