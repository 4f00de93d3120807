/** What people see on a terminal: tables, colours where there are some, and progress with the time left. */
import { WriteStream } from "node:tty";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { coloured, createProgress, durationOf, printList, type Stream } from "../../scripts/command/terminal.ts";

// What another file's packages have done to the process is not the subject.
beforeEach(() => {
  vi.stubEnv("FORCE_COLOR", undefined);
});

function print(...list: Parameters<typeof printList>): { stdout: string[]; stderr: string[] } {
  const [out, err] = [vi.spyOn(console, "log"), vi.spyOn(console, "error")];
  out.mockImplementation(() => undefined);
  err.mockImplementation(() => undefined);
  printList(...list);
  const said = [out, err].map(({ mock }) => mock.calls.map(([line]) => String(line)));
  out.mockRestore();
  err.mockRestore();
  return { stdout: said[0] ?? [], stderr: said[1] ?? [] };
}

test("a table has a heading, numbers at the right, no quotes, and no control characters of whoever named a thing", () => {
  const rows = [
    { id: 9, name: "orders", status: "active" },
    { id: 10, name: "evil\u001b[2J\u202e", status: undefined },
  ];
  expect(print({ rows }).stdout).toEqual(["id  name       status", " 9  orders     active", "10  evil?[2J?"]);
});

test("a list is one JSON array for programs, also when it is empty", () => {
  const json = print({ rows: [{ a: 1 }], json: [{ full: true }] }, true);
  expect(JSON.parse(json.stdout.join("\n"))).toEqual([{ full: true }]);
  expect(print({ rows: [], none: "There are no keys." }, true)).toEqual({ stdout: ["[]"], stderr: [] });
  expect(print({ rows: [], none: "There are no keys." })).toEqual({ stdout: [], stderr: ["There are no keys."] });
});

/** A terminal of the test's own. */
function screen(hasColours = false) {
  const written: string[] = [];
  return {
    written,
    isTTY: true,
    columns: 60,
    hasColors: () => hasColours,
    write: (text: string) => written.push(text),
  };
}

test("colours are only where the stream is a terminal with colours", () => {
  expect(coloured("red", "no", screen(true))).toBe("\u001b[31mno\u001b[39m");
  expect(coloured("red", "no", screen(false))).toBe("no");
  expect(coloured("red", "no", { ...screen(true), isTTY: false })).toBe("no");
});

test.each([
  ["", true],
  ["1", true],
  ["true", true],
  ["3", true],
  ["0", false],
  ["false", false],
])("FORCE_COLOR=%s decides for a terminal and for a pipe", (value, are) => {
  vi.stubEnv("FORCE_COLOR", value);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const stream of [screen(!are), { ...screen(), isTTY: false }])
    expect(coloured("red", "no", stream)).toBe(are ? "\u001b[31mno\u001b[39m" : "no");
});

test("NO_COLOR turns colours off on a real terminal's stream", () => {
  const terminal: Stream = Object.assign(Object.create(WriteStream.prototype), { isTTY: true });
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TERM", "xterm-256color");
  // Node takes no CI that it does not know for one with colours.
  for (const name of ["NO_COLOR", "CI"]) vi.stubEnv(name, undefined);
  expect(coloured("red", "no", terminal)).toContain("\u001b[31m");
  vi.stubEnv("NO_COLOR", "1");
  expect(coloured("red", "no", terminal)).toBe("no");
});

test("progress shows the share and, once there is a pace, the time left", () => {
  let time = 0;
  const terminal = screen();
  const progress = createProgress("blocks", terminal, () => time);
  progress.update(0, 200);
  time = 10_000;
  progress.update(50, 200);
  progress.update(51, 200);
  time = 40_000;
  progress.update(200, 200);
  progress.clear();
  expect(terminal.written).toEqual([
    "\r\u001b[K0 %  0 of 200 blocks",
    "\r\u001b[K25 %  50 of 200 blocks, about 30 s left",
    "\r\u001b[K100 %  200 of 200 blocks",
    "\r\u001b[K",
  ]);
});

test("progress is cut at the terminal's width, where it knows one", () => {
  const [narrow, unknown] = [
    { ...screen(), columns: 12, written: [] as string[] },
    { ...screen(), columns: 0 },
  ];
  createProgress("blocks", { ...narrow, write: (text) => narrow.written.push(text) }).update(1, 10);
  const whole: string[] = [];
  createProgress("blocks", { ...unknown, write: (text) => whole.push(text) }).update(1, 10);
  expect([...narrow.written, ...whole]).toEqual(["\r\u001b[K10 %  1 of ", "\r\u001b[K10 %  1 of 10 blocks"]);
});

test("progress has a bar on a wide terminal, and the time left that something else knows", () => {
  const wide = { ...screen(), columns: 100, written: [] as string[] };
  const progress = createProgress("blocks", { ...wide, write: (text) => wide.written.push(text) });
  progress.update(50, 200, 90_000);
  expect(wide.written).toEqual(["\r\u001b[K[#####---------------] 25 %  50 of 200 blocks, about 2 min left"]);
});

test("progress goes on from where an interrupted run was, and prints nothing into a pipe", () => {
  let time = 0;
  const terminal = screen();
  const progress = createProgress("addresses", terminal, () => time);
  progress.update(900, 1_000);
  time = 10_000;
  progress.update(910, 1_000);
  expect(terminal.written.at(-1)).toMatch(/91 %.*, about 90 s left$|about 2 min left$/);
  const piped = { ...screen(), isTTY: false };
  const silent = createProgress("addresses", piped, () => time);
  silent.update(1, 2);
  silent.clear();
  expect(piped.written).toEqual([]);
});

test.each([
  [400, "1 s"],
  [89_000, "89 s"],
  [90_000, "2 min"],
  [7_200_000, "2 h"],
])("%i ms are %s", (ms, said) => expect(durationOf(ms)).toBe(said));
