/** openapi-generator, in each of the languages it is run for. */
import type { Generator } from "../harness/generator.ts";
import { noHeaders } from "./no-headers.ts";
import { checkPython, installPython } from "./python.ts";

const installJars = "mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib";

/**
 * Values are added to enumerations within /v1: with this, a client reads them as an unknown one. Python and Rust clients
 * fail with it all the same.
 */
const unknownValues = "enumUnknownDefaultCase=true";

/** What all of them share. `options` choose the language and its variant, `properties` are the additional ones. */
function openapiGenerator(
  language: Generator["language"],
  options: string,
  properties: readonly string[],
  {
    needs,
    commands,
    ...more
  }: Pick<Generator, "needs" | "notification" | "limits"> & {
    commands: Omit<Generator["commands"], "generate">;
  },
): Generator {
  const generate = `java -jar openapi-generator-cli.jar generate -i openapi-3.0.json -o client ${options} --additional-properties=${properties.join(",")}`;
  return {
    id: `openapi-generator-${language.toLowerCase()}`,
    name: "openapi-generator",
    language,
    document: "3.0",
    version: { file: "openapi-generator/pom.xml", pattern: /openapi-generator-cli<\/artifactId>\s*<version>([^<]+)/ },
    needs: ["java", "mvn", ...needs],
    shared: "openapi-generator",
    commands: { ...commands, generate },
    generated: "client",
    ...more,
  };
}

const notification = "`AddressActivityNotification`, the payload as a type";

export const java = openapiGenerator("Java", "-g java --library native", [unknownValues], {
  needs: ["javac"],
  commands: {
    install: installJars,
    compile: "javac -nowarn -cp 'lib/*' -d built $(find client/src/main -name '*.java') Scenario.java",
    run: "java -cp 'built:lib/*' Scenario",
  },
  notification,
  limits: [
    {
      said: "The client has no place for the API key: a request interceptor of the program adds the header.",
      seenIn: "client/src/main",
      lacks: /x-service-api-key/,
    },
    {
      said: "`ApiException` has an error's body as text; the program reads it as an `ApiError`.",
      seenIn: "client/src/main/java/org/openapitools/client/ApiException.java",
      lacks: /model\.ApiError|ApiError \w+\(/,
    },
    noHeaders,
  ],
});

export const kotlin = openapiGenerator("Kotlin", "-g kotlin", [unknownValues], {
  needs: [],
  commands: {
    install: installJars,
    compile:
      "java -cp 'lib/*' org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -nowarn -no-stdlib -no-reflect" +
      " -cp $(echo lib/*.jar | tr ' ' ':') -d built client/src/main/kotlin Scenario.kt",
    run: "java -cp 'built:lib/*' ScenarioKt",
  },
  notification,
  limits: [
    {
      said: "`ClientException` has an error's body as text in its `response`; the program reads it as an `ApiError`.",
      seenIn: "client/src/main/kotlin/org/openapitools/client/infrastructure",
      lacks: /model\.ApiError|ApiError \w+\(/,
    },
    {
      said: "It comes with a build for Gradle; for Maven, okhttp's artifact is `okhttp-jvm`.",
      seenIn: "client/build.gradle",
      has: /com\.squareup\.okhttp3:okhttp:/,
    },
    noHeaders,
  ],
});

export const go = openapiGenerator(
  "Go",
  "-g go",
  [
    unknownValues,
    "disallowAdditionalPropertiesIfNotPresent=false",
    "enumClassPrefix=true",
    "packageName=client",
    "withGoMod=false",
  ],
  {
    needs: ["go"],
    commands: { compile: "go build -o scenario .", run: "./scenario" },
    notification,
    limits: [
      {
        said: "Without `disallowAdditionalPropertiesIfNotPresent=false` it refuses fields that it does not know.",
        fails:
          "java -jar openapi-generator-cli.jar generate -i openapi-3.0.json -o closed -g go &&" +
          " ! grep -q DisallowUnknownFields closed/model_webhook.go",
      },
      {
        said: "Without `enumClassPrefix=true` two enumerations have constants of one name, and the client does not compile.",
        fails:
          "java -jar openapi-generator-cli.jar generate -i openapi-3.0.json -o bare -g go" +
          " --additional-properties=packageName=bare,withGoMod=false && go build ./bare",
      },
      noHeaders,
    ],
  },
);

export const python = openapiGenerator("Python", "-g python", ["packageName=client"], {
  needs: ["python3"],
  commands: {
    install: installPython,
    compile: `export PYTHONPATH=client MYPYPATH=client && ${checkPython} --implicit-reexport`,
    run: "PYTHONPATH=client python scenario.py",
  },
  notification,
  limits: [
    {
      said: "mypy reads its models with pydantic's plugin and `--implicit-reexport` only.",
      fails:
        "PYTHONPATH=client MYPYPATH=client mypy scenario.py --strict --follow-imports silent --config-file /dev/null",
    },
    noHeaders,
  ],
});

export const rust = openapiGenerator("Rust", "-g rust", ["packageName=client", "packageVersion=0.0.0"], {
  needs: ["cargo"],
  commands: {
    compile: "cargo build --locked",
    run: "$CARGO_TARGET_DIR/debug/scenario",
  },
  notification,
  limits: [
    {
      said: "An error's `entity` is of its first variant, `Status400`, whatever the status; the status stands beside it.",
      seenIn: "client/src/apis/webhooks_api.rs",
      has: /#\[serde\(untagged\)\]\s*pub enum GetWebhookError \{\s*Status400/,
    },
    noHeaders,
  ],
});
