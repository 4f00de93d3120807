/** Where Redocly's diff rates an edit otherwise than `npm run diff`. `REDOCLY_EVERY=N` asks it of every Nth edit only. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withTemporaryFolder } from "../../scripts/document/temporary-folder.ts";
import { bundle, edited, edits } from "./edits/edited.ts";
import { writePairs } from "./edits/shop.ts";
import { shopEdits } from "./edits/shop-edits.ts";

/** What Redocly says of each pair, in one start. */
async function ratings(count: number, write: (folder: string) => void): Promise<string[]> {
  return withTemporaryFolder(async (folder) => {
    write(folder);
    const script = fileURLToPath(new URL("redocly-ratings.mjs", import.meta.url));
    await promisify(execFile)(process.execPath, [script, folder], { maxBuffer: 64 * 1024 * 1024 });
    return Array.from({ length: count }, (_, index) => {
      const report = JSON.parse(readFileSync(join(folder, `${index}.report.json`), "utf8")) as { bump?: string };
      return report.bump ?? "none";
    });
  });
}

const isAsked = (_: unknown, index: number) => index % Number(process.env.REDOCLY_EVERY ?? 1) === 0;

/** Each by itself: of several edits of one list, Redocly pairs parameters by their place and sees changes that nobody made. */
test("redocly diff rates each edit of the contract as the edit says", async () => {
  const asked = edits.filter(isAsked);
  const rated = await ratings(asked.length, (folder) => {
    for (const [index, edit] of asked.entries()) {
      writeFileSync(join(folder, `${index}.old.json`), bundle);
      writeFileSync(join(folder, `${index}.new.json`), JSON.stringify(edited(edit)));
    }
  });
  expect(asked.map(({ name }, index) => `${name}: ${rated[index]}`)).toEqual(
    asked.map(({ name, redocly, rating }) => `${name}: ${redocly ?? rating}`),
  );
});

/** What Redocly and oasdiff say of each edit; `node --import tsx test/contract/other-tools.ts -- --write` writes it. */
const others = JSON.parse(readFileSync(new URL("edits/others.json", import.meta.url), "utf8")) as Record<
  string,
  { redocly: string; oasdiff: string }
>;

test("redocly diff rates each edit of the shop as others.json says", async () => {
  const asked = shopEdits.filter(isAsked);
  const rated = await ratings(asked.length, (folder) => writePairs(folder, asked));
  expect(asked.map(([name], index) => [name, rated[index]])).toEqual(
    asked.map(([name]) => [name, others[name]?.redocly]),
  );
});
