/** The cursor of a stream: over everything that is done, and over nothing that is not. */
import { expect, test } from "vitest";
import { addPlace, noteRead, openWindow, settleWindow } from "../../server/delivery/window.ts";

const open = () => openWindow({ chainId: "1", position: 10, recordedOn: "2026-01-01" }, 0);
const row = (position: number, recordedOn = "2026-01-02") => ({ position, recordedOn });

test("the cursor stands before the first place that is not done", () => {
  const window = open();
  const places = [11, 13, 17].map((position) => addPlace(window, row(position)));
  for (const index of [1, 2]) if (places[index]) places[index].done = true;
  expect(settleWindow(window)).toBe(false);
  expect(window.position).toBe(10);
  if (places[0]) places[0].done = true;
  expect(settleWindow(window)).toBe(true);
  expect(window).toMatchObject({ position: 17, recordedOn: "2026-01-02", places: [] });
});

test("with everything done it goes on to where the stream has been read", () => {
  const window = open();
  addPlace(window, row(11)).done = true;
  noteRead(window, 20, "2026-01-03");
  expect(settleWindow(window)).toBe(true);
  expect(window).toMatchObject({ position: 20, recordedOn: "2026-01-03" });
  window.written = 20;
  expect(settleWindow(window)).toBe(false);
});

test("what was read without finding anything does not move it past an open place", () => {
  const window = open();
  addPlace(window, row(11));
  noteRead(window, 20, "2026-01-03");
  expect(settleWindow(window)).toBe(false);
  expect(window).toMatchObject({ position: 10, readPosition: 20 });
});
