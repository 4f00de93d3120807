/** The generator of C# clients. Debian has a compiler and a runtime, Mono's; no registry of the run has .NET's own. */
import { openapiGenerator } from "./openapi-generator.ts";

const assemblies = "System.Net.Http,System.Runtime.Serialization,System.ComponentModel.DataAnnotations,System.Web";
const newtonsoft = "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll";

const httpclient = { generatorName: "csharp", library: "httpclient" } as const;

export const csharp = openapiGenerator({
  id: "openapi-generator-csharp",
  language: "C#",
  needs: ["mcs", "mono"],
  checkedBy: "Mono's compiler",
  options: {
    ...httpclient,
    typeMappings: { boolean: "bool?" },
    // With enumUnknownDefaultCase it fails on unknown values all the same.
    additionalProperties: { targetFramework: "netstandard2.0" },
  },
  others: { bare: { ...httpclient, additionalProperties: { targetFramework: "netstandard2.0" } } },
  commands: {
    compile:
      `mcs -warn:0 -langversion:latest -r:${assemblies} -r:${newtonsoft} -out:scenario.exe` +
      " $(find client/src/Org.OpenAPITools -name '*.cs') StandIns.cs Scenario.cs",
    run: `MONO_PATH=$(dirname ${newtonsoft}) mono scenario.exe`,
  },
  limits: [
    {
      said: "Without the mapping it sends a boolean that the program leaves out as `false`: a change of the name would turn `includeLogs` off. With it, the program sets `SerializerSettings.NullValueHandling` of its `ApiClient` to `Ignore`.",
      seenIn: "bare/src/Org.OpenAPITools/Model/WebhookUpdate.cs",
      has: /"includeLogs", EmitDefaultValue = true\)\]\s*public bool IncludeLogs/,
    },
    {
      said: "Compiled and run with stand-ins for Polly and for two types of Newtonsoft.Json 13, which Debian does not have.",
      seenIn: "client/src/Org.OpenAPITools/Org.OpenAPITools.csproj",
      has: /"Newtonsoft\.Json" Version="13.*"Polly"/s,
    },
    {
      said: "`ApiException.ErrorContent` has an error's body as text; the program reads it as an `ApiError`.",
      seenIn: "client/src/Org.OpenAPITools/Client/ApiException.cs",
      has: /public object ErrorContent/,
    },
  ],
});
