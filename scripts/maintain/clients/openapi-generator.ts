/** openapi-generator, fetched from Maven Central at the version that `openapi-generator.pom.xml` pins. */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What it is asked for: a language, its variant, and additional properties. */
export type OpenapiGeneratorOptions = {
  generatorName: string;
  library?: string;
  typeMappings?: Readonly<Record<string, string>>;
  modelNameMappings?: Readonly<Record<string, string>>;
  additionalProperties: Readonly<Record<string, boolean | string>>;
};

/** Where its version is pinned. */
export const pinned = fileURLToPath(new URL("openapi-generator.pom.xml", import.meta.url));

/**
 * Makes clients, in one JVM: to start it and to read the generator costs more than a client.
 *
 * @param folder is made @param wanted by name @param document the path of the OpenAPI document @param step runs a shell command
 * @returns the folder that has a folder of each name
 */
export async function generateClients(
  folder: string,
  {
    wanted,
    document,
    step,
  }: {
    wanted: ReadonlyMap<string, OpenapiGeneratorOptions>;
    document: string;
    step(command: { name: string; command: string; cwd: string }): Promise<unknown>;
  },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  await copyFile(pinned, join(folder, "pom.xml"));
  const fetching = "mvn -q -B dependency:copy-dependencies -DoutputDirectory=. -Dmdep.stripVersion=true";
  await step({ name: "fetching it", command: fetching, cwd: folder });
  const configs: string[] = [];
  for (const [name, options] of wanted) {
    const config = `config-${configs.length}.json`;
    const whole = { ...options, inputSpec: document, outputDir: join(folder, "made", name) };
    await writeFile(join(folder, config), JSON.stringify(whole));
    configs.push(config);
  }
  const making = `java -jar openapi-generator-cli.jar batch --fail-fast --threads 1 ${configs.join(" ")}`;
  await step({ name: "making the clients", command: making, cwd: folder });
  return join(folder, "made");
}
