/** Where Redocly's diff rates an edit otherwise than `npm run diff`. It starts Redocly for each. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Bump } from "../../scripts/command/diff/finding.ts";
import type { JsonObject } from "../../scripts/document/json.ts";
import { redocly } from "../../scripts/document/redocly.ts";
import { withTemporaryFolder } from "../../scripts/document/temporary-folder.ts";
import { bundle, edited, edits } from "./edits/edited.ts";

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
