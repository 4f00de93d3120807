/** openapi-generator, in each of the languages it is run for. */
import type { Generator } from "../harness/generator.ts";
import { checkPython, installPython } from "./python.ts";

const installJars = "mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib";

/** What all of them share. `options` choose the language and its variant. */
function openapiGenerator(
  language: Generator["language"],
  options: string,
  {
    needs,
    commands,
    ...more
  }: Pick<Generator, "needs" | "notification" | "limits"> & {
    commands: Omit<Generator["commands"], "generate">;
  },
): Generator {
  const generate = `java -jar openapi-generator-cli.jar generate -i openapi-3.0.json -o client ${options}`;
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

export const java = openapiGenerator("Java", "-g java --library native", {
  needs: ["javac"],
  commands: {
    install: installJars,
    compile: "javac -nowarn -cp 'lib/*' -d built $(find client/src/main -name '*.java') Scenario.java",
    run: "java -cp 'built:lib/*' Scenario",
  },
  notification,
  limits: [],
});

export const kotlin = openapiGenerator("Kotlin", "-g kotlin", {
  needs: [],
  commands: {
    install: installJars,
    compile:
      "java -cp 'lib/*' org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -nowarn -no-stdlib -no-reflect" +
      " -cp $(echo lib/*.jar | tr ' ' ':') -d built client/src/main/kotlin Scenario.kt",
    run: "java -cp 'built:lib/*' ScenarioKt",
  },
  notification,
  limits: [],
});

export const go = openapiGenerator("Go", "-g go --additional-properties=packageName=client,withGoMod=false", {
  needs: ["go"],
  commands: { install: "go mod download", compile: "go build -o scenario .", run: "./scenario" },
  notification,
  limits: [],
});

export const python = openapiGenerator("Python", "-g python --additional-properties=packageName=client", {
  needs: ["python3"],
  commands: {
    install: installPython,
    compile: `export PYTHONPATH=client MYPYPATH=client && ${checkPython}`,
    run: "PYTHONPATH=client python scenario.py",
  },
  notification,
  limits: [],
});

export const rust = openapiGenerator(
  "Rust",
  "-g rust --additional-properties=packageName=client,packageVersion=0.0.0",
  {
    needs: ["cargo"],
    commands: {
      install: "cargo fetch --locked",
      compile: "cargo build --locked",
      run: "$CARGO_TARGET_DIR/debug/scenario",
    },
    notification,
    limits: [],
  },
);
