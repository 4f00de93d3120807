/** The generators of Java and Kotlin clients. */
import { openapiGenerator, unknownValues } from "./openapi-generator.ts";

const install = "mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib";

export const java = openapiGenerator({
  id: "openapi-generator-java",
  language: "Java",
  needs: ["javac"],
  checkedBy: "javac",
  options: {
    generatorName: "java",
    library: "native",
    additionalProperties: { ...unknownValues, containerDefaultToNull: true },
  },
  others: { lists: { generatorName: "java", library: "native", additionalProperties: {} } },
  commands: {
    install,
    compile: "javac -nowarn -cp 'lib/*' -d built $(find client/src/main -name '*.java') Scenario.java",
    run: "java -cp 'built:lib/*' Scenario",
  },
  limits: [
    {
      said: "Without `containerDefaultToNull=true` it sends an empty list for each that the program leaves out, and the service refuses some.",
      seenIn: "lists/src/main/java/org/openapitools/client/model/WebhookMetadataInput.java",
      has: / abi = new ArrayList<>\(\)/,
    },
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
  ],
});

export const kotlin = openapiGenerator({
  id: "openapi-generator-kotlin",
  language: "Kotlin",
  needs: [],
  checkedBy: "kotlinc",
  options: { generatorName: "kotlin", additionalProperties: unknownValues },
  commands: {
    install,
    compile:
      "java -cp 'lib/*' org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -nowarn -no-stdlib -no-reflect" +
      " -cp $(echo lib/*.jar | tr ' ' ':') -d built client/src/main/kotlin Scenario.kt",
    run: "java -cp 'built:lib/*' ScenarioKt",
  },
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
  ],
});
