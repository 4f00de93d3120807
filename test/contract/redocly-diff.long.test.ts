/** Where Redocly's diff rates an edit otherwise than `npm run diff`. It starts Redocly for each. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Bump } from "../../scripts/command/diff/finding.ts";
import type { JsonObject } from "../../scripts/document/json.ts";
import { redocly } from "../../scripts/document/redocly.ts";
import { withTemporaryFolder } from "../../scripts/document/temporary-folder.ts";
import { bundle, edited, edits } from "./edits/edited.ts";
import { writePairs } from "./edits/shop.ts";
import { shopEdits } from "./edits/shop-edits.ts";

async function toolRating(revised: JsonObject): Promise<Bump | "none"> {
  return withTemporaryFolder(async (folder) => {
    const paths = ["base.json", "revision.json", "redocly.yaml"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(paths[0], bundle);
    writeFileSync(paths[1], JSON.stringify(revised));
    writeFileSync(paths[2], "extends: [diff-recommended]\n");
    const report = join(folder, "report.json");
    await redocly(
      "diff",
      paths[0],
      paths[1],
      "--config",
      paths[2],
      "--format=json",
      "--fail-on=none",
      "--output",
      report,
    );
    return JSON.parse(readFileSync(report, "utf8")).bump ?? "none";
  });
}

/** The rating of many edits at once is the highest of each, so that one run tells that none is above it. */
test("each upward correction is one that redocly diff rates as patch or minor", async () => {
  const ratedAs = (...ratings: string[]) => edits.filter((edit) => ratings.includes(edit.redocly ?? edit.rating));
  expect(await toolRating(edited(...ratedAs("none", "patch")))).toBe("patch");
  expect(await toolRating(edited(...ratedAs("minor")))).toBe("minor");
});

test.each(edits.filter(({ rating, redocly: tool }) => tool === "major" && rating !== "major"))(
  "redocly diff rates as major, too high, that $name",
  async (edit) => expect(await toolRating(edited(edit))).toBe("major"),
);

/** What Redocly and oasdiff say of each edit; `npm run diff:others -- --write` writes it. */
const others = JSON.parse(readFileSync(new URL("edits/others.json", import.meta.url), "utf8")) as Record<
  string,
  { redocly: string; oasdiff: string }
>;

test("redocly diff rates each edit of the shop as others.json says", async () => {
  await withTemporaryFolder(async (folder) => {
    writePairs(folder, shopEdits);
    const script = fileURLToPath(new URL("redocly-ratings.mjs", import.meta.url));
    await promisify(execFile)(process.execPath, [script, folder], { maxBuffer: 64 * 1024 * 1024 });
    const rated = shopEdits.map(([name], index) => {
      const report = JSON.parse(readFileSync(join(folder, `${index}.report.json`), "utf8")) as { bump?: string };
      return [name, report.bump ?? "none"];
    });
    expect(rated).toEqual(shopEdits.map(([name]) => [name, others[name]?.redocly]));
  });
});
