/**
 * What `redocly diff` says of many pairs of documents. It starts Redocly's command once and runs it again for each pair, since
 * starting it takes ten times as long as comparing. It is JavaScript because tsx cannot load Redocly's command.
 *
 *     node test/contract/redocly-ratings.mjs FOLDER    the folder has N.old.json and N.new.json
 *
 * Writes N.report.json next to them.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder = "."] = process.argv;
const command = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "lib/index.js");
Object.assign(process.env, { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });
const config = join(folder, "redocly.yaml");
writeFileSync(config, "extends: [diff-recommended]\n");
// The command ends the process after each comparison.
const exit = process.exit;
process.exit = () => undefined;

for (const name of readdirSync(folder).filter((one) => one.endsWith(".old.json"))) {
  const [old, now, output] = ["old", "new", "report"].map((part) => join(folder, name.replace(".old.", `.${part}.`)));
  const options = ["--config", config, "--format=json", "--fail-on=none", "--output", output ?? ""];
  process.argv = [process.argv[0] ?? "", command, "diff", old ?? "", now ?? "", ...options];
  await import(`${pathToFileURL(command).href}?${name}`);
  // The module does not say when it has finished. A pair that fails is left without a report.
  for (let waited = 0; waited < 400 && !existsSync(output ?? ""); waited += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
}
exit(0);
