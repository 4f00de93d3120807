/** openapi-generator, whatever the language: its options are stated once, for the run and for the command in the table. */
import { type OpenapiGeneratorOptions, pinned } from "../../../scripts/maintain/clients/openapi-generator.ts";
import type { Generator } from "../harness/generator.ts";

/** Values are added to enumerations within /v1: with this, a client reads them as an unknown one, in most languages. */
export const unknownValues = { enumUnknownDefaultCase: true } as const;

/** Where its version is pinned. */
const version = {
  file: pinned,
  pattern: /openapi-generator-cli<\/artifactId>\s*<version>([^<]+)/,
};

type Given = Pick<Generator, "id" | "language" | "needs" | "checkedBy" | "limits"> & {
  options: OpenapiGeneratorOptions;
  /** What else it makes, for a limit to look at. */
  others?: Readonly<Record<string, OpenapiGeneratorOptions>>;
  commands: Omit<Generator["commands"], "generate">;
  notification?: Generator["notification"];
  packages?: "python";
};

/** The client for one language. */
export function openapiGenerator({ options, others, commands, needs, ...more }: Given): Generator {
  return {
    name: "openapi-generator",
    document: "3.0",
    version,
    needs: ["java", "mvn", ...needs],
    made: { client: options, ...others },
    commands: { ...commands, generate: commandOf(options) },
    generated: "client",
    notification: { payload: "`AddressActivityNotification`", headers: "`AddressActivityHeaders`" },
    ...more,
  };
}

/** What a user would type for these options. */
function commandOf(options: OpenapiGeneratorOptions): string {
  const { generatorName, library, typeMappings, modelNameMappings, additionalProperties } = options;
  return [
    "java -jar openapi-generator-cli.jar generate -i openapi-3.0.json -o client",
    `-g ${generatorName}`,
    ...(library === undefined ? [] : [`--library ${library}`]),
    ...pairs("--type-mappings ", typeMappings),
    ...pairs("--model-name-mappings ", modelNameMappings),
    ...pairs("--additional-properties=", additionalProperties),
  ].join(" ");
}

function pairs(option: string, values: Readonly<Record<string, boolean | string>> = {}): string[] {
  const list = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const text = list.join(",");
  return list.length === 0 ? [] : [`${option}${/[^\w=,.-]/.test(text) ? `'${text}'` : text}`];
}
