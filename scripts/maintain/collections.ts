/**
 * Collections of requests to call the API by hand: for Postman, for Bruno, and as an `.http` file that editors run. There is one request for each
 * operation and each of its request's examples. And the same as examples for Specmatic, each with its answer.
 */
import { isObject, type JsonObject, resolvedObject } from "../document/json.ts";

/** A value of a request's URL. */
type Value = { name: string; value: string; isRequired: boolean };

/** A request as all of the formats need it. */
type Call = {
  name: string;
  /** The operation, and which of its examples. */
  file: string;
  operationId: string;
  folder: string;
  description: string;
  method: string;
  /** With `{id}` for what the path takes. */
  path: string;
  query: Value[];
  isRepeatable: boolean;
  needsKey: boolean;
  body: unknown;
  answer: Answer;
};

/** The good answer to a call, as the contract's examples have it. */
type Answer = { status: number; headers: Record<string, unknown>; body: unknown };

/** What later requests need of an answer: where the value of a variable stands in it. */
const kept: Readonly<Record<string, { variable: string; place: string }>> = {
  createWebhook: { variable: "id", place: "id" },
  listNotifications: { variable: "messageId", place: "notifications[0].messageId" },
  createReplay: { variable: "replayId", place: "id" },
};

/** What later requests do needs a webhook that is sent to. */
const keptOf = ({ operationId, body }: Call) =>
  (body as { delivery?: unknown } | undefined)?.delivery === "feed" ? undefined : kept[operationId];

/** Where the mock listens, which takes any key. */
const mock = { base_url: "http://127.0.0.1:4010", api_key: "any" };

/** What is deleted can be called no more, so that comes last. */
const last = "Clean up";

/** @returns the text of each file, by its path below `generated/collections` @throws where a value of a path or query has no example */
export function collections(document: JsonObject): Map<string, string> {
  const calls = callsOf(document);
  const variables = { ...mock, ...pathValues(document) };
  const { title, summary } = document.info as { title: string; summary: string };
  const header = apiKeyHeader(document);
  const about: About = {
    title,
    summary,
    header,
    variables,
    calls,
    folders: [...new Set(calls.map(({ folder }) => folder))],
  };
  return new Map([
    ["chain-webhooks.http", httpFile(about)],
    ["chain-webhooks.postman_collection.json", `${JSON.stringify(postman(about), null, 2)}\n`],
    ...[...bruno(about)].map(([path, text]): [string, string] => [`bruno/${path}`, text]),
    ...calls.map((call): [string, string] => [`specmatic/${call.file}.json`, `${json(specmatic(about, call))}\n`]),
  ]);
}

type About = {
  title: string;
  summary: string;
  header: string;
  variables: Record<string, string>;
  calls: Call[];
  folders: string[];
};

type Parameter = { name: string; in: string; required?: boolean; example?: unknown; schema?: JsonObject };
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: JsonObject[];
  requestBody?: JsonObject;
  responses: Record<string, JsonObject>;
  security?: unknown[];
};
type Body = { content?: Record<string, { example?: unknown; examples?: Record<string, JsonObject> }> };

function operationsOf(
  document: JsonObject,
): { method: string; path: string; operation: Operation; parameters: Parameter[] }[] {
  return Object.entries(document.paths as Record<string, JsonObject>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!isObject(operation) || operation.operationId === undefined) return [];
      const own = (operation as Operation).parameters ?? [];
      const parameters = [...((item.parameters ?? []) as JsonObject[]), ...own].map(
        (parameter) => resolvedObject(document, parameter) as Parameter,
      );
      return [{ method, path, operation: operation as Operation, parameters }];
    }),
  );
}

function callsOf(document: JsonObject): Call[] {
  const calls = operationsOf(document).flatMap(({ method, path, operation, parameters }): Call[] => {
    const { operationId, summary, tags, requestBody, security } = operation;
    const deletesWhole = method === "delete" && requestBody === undefined;
    const call = {
      ...{ operationId, method: method.toUpperCase(), path, description: summary },
      folder: deletesWhole ? last : (tags[0] ?? ""),
      query: parameters.filter((parameter) => parameter.in === "query").map(exampleOf),
      isRepeatable: parameters.some(({ name }) => name === "Idempotency-Key"),
      needsKey: security?.length !== 0,
    };
    const answerTo = (name?: string) => answerOf(document, operation, name);
    const { content } = resolvedObject(document, requestBody) as Body;
    const { example, examples = {} } = content?.["application/json"] ?? {};
    const variants = Object.entries(examples).map(([name, one]) => {
      const { summary: what = name, value } = resolvedObject(document, one) as { summary?: string; value: unknown };
      const own = { file: `${operationId}.${name}`, name: `${operationId}: ${what}`, body: value };
      return { ...call, ...own, answer: answerTo(name) };
    });
    // What is put last remains: that is the first example, which later requests go on with.
    if (method === "put") variants.reverse();
    const only = { file: operationId, name: operationId, body: example, answer: answerTo() };
    return variants.length > 0 ? variants : [{ ...call, ...only }];
  });
  const deletions = calls.filter(({ folder }) => folder === last);
  // What is deleted takes along what is below it.
  deletions.sort((a, b) => b.path.length - a.path.length);
  return [...calls.filter(({ folder }) => folder !== last), ...deletions];
}

/** @param name of the request's example, whose answer may have the same name; otherwise the first is as good */
function answerOf(document: JsonObject, { operationId, responses }: Operation, name = ""): Answer {
  const status = Object.keys(responses).find((each) => each.startsWith("2"));
  if (status === undefined) throw new Error(`${operationId} needs a good answer.`);
  const { content, headers = {} } = resolvedObject(document, responses[status]) as Body & {
    headers?: Record<string, JsonObject>;
  };
  const { example, examples = {} } = content?.["application/json"] ?? {};
  const one = examples[name] ?? Object.values(examples)[0];
  const values = Object.entries(headers).flatMap(([header, found]) => {
    const { required, example } = resolvedObject(document, found) as Parameter;
    return required ? [[header, example] as const] : [];
  });
  const body = one === undefined ? example : (resolvedObject(document, one) as { value: unknown }).value;
  // Where it can be of several types, an answer must say of which it is.
  if (Object.keys(content ?? {}).length > 1) values.push(["Content-Type", "application/json"]);
  return { status: Number(status), headers: Object.fromEntries(values), body };
}

function exampleOf({ name, required = false, example, schema = {} }: Parameter): Value {
  const value = example ?? schema.example ?? schema.default ?? "";
  if (required && value === "") throw new Error(`The parameter ${name} needs an example.`);
  return { name, value: String(value), isRequired: required };
}

function pathValues(document: JsonObject): Record<string, string> {
  const parameters = operationsOf(document).flatMap(({ parameters }) =>
    parameters.filter((each) => each.in === "path"),
  );
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, exampleOf(parameter).value]));
}

function apiKeyHeader({ components }: JsonObject): string {
  return (components as { securitySchemes: { apiKey: { name: string } } }).securitySchemes.apiKey.name;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const urlOf = ({ path }: Call) => `{{base_url}}${path.replaceAll("{", "{{").replaceAll("}", "}}")}`;
const queryOf = (values: readonly Value[]) =>
  values.length > 0 ? `?${values.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join("&")}` : "";

/** As VS Code's REST Client, JetBrains' IDEs, Visual Studio and httpYac read it. */
function httpFile({ title, summary, header, variables, calls }: About): string {
  const values = Object.entries(variables).map(([name, value]) => `@${name} = ${value}`);
  const requests = calls.map((call) => {
    const optional = call.query.filter(({ isRequired }) => !isRequired).map(({ name }) => name);
    return [
      `### ${call.name}`,
      ...(optional.length > 0 ? [`# It also takes ${optional.join(", ")} in the query.`] : []),
      `${call.method} ${urlOf(call)}${queryOf(call.query.filter(({ isRequired }) => isRequired))}`,
      `${header}: {{api_key}}`,
      ...(call.body === undefined ? [] : ["content-type: application/json", "", json(call.body)]),
      "",
    ].join("\n");
  });
  const ids = "# Put in the ids that you are answered. Until you change something, the mock knows these.";
  return [`# ${title}: ${summary}`, ids, ...values, "", ...requests].join("\n");
}

function postman({ title, summary, header, variables, calls, folders }: About): object {
  const itemOf = (call: Call) => {
    const keeps = keptOf(call);
    const query = call.query.map(({ name, value, isRequired }) => ({ key: name, value, disabled: !isRequired }));
    const path = call.path.slice(1).replaceAll("{", "{{").replaceAll("}", "}}");
    const raw = `${urlOf(call)}${queryOf(call.query.filter(({ isRequired }) => isRequired))}`;
    const script = keeps && [
      // An error, or an empty list, has none.
      `const value = pm.response.json()?.${keeps.place.replaceAll(/[.[]/g, (sign) => (sign === "[" ? "?.[" : "?."))};`,
      `if (value !== undefined) pm.collectionVariables.set("${keeps.variable}", value);`,
    ];
    return {
      name: call.name,
      ...(script && { event: [{ listen: "test", script: { type: "text/javascript", exec: script } }] }),
      request: {
        method: call.method,
        description: call.description,
        header: call.isRepeatable ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : [],
        url: { raw, host: ["{{base_url}}"], path: path.split("/"), ...(query.length > 0 && { query }) },
        ...(call.body !== undefined && {
          body: { mode: "raw", raw: json(call.body), options: { raw: { language: "json" } } },
        }),
      },
    };
  };
  const entry = (key: string, value: string) => ({ key, value, type: "string" });
  return {
    info: {
      name: title,
      description: summary,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "apikey", apikey: [entry("key", header), entry("value", "{{api_key}}"), entry("in", "header")] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: folders.map((name) => ({ name, item: calls.filter(({ folder }) => folder === name).map(itemOf) })),
  };
}

/** Bruno's own language: blocks of lines, whose text is indented by two. */
function bruno({ title, header, variables, calls, folders }: About): Map<string, string> {
  const block = (name: string, lines: readonly string[]) =>
    `${name} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}\n`;
  const text = (lines: string) => lines.split("\n");
  const files = new Map([
    ["bruno.json", `${json({ version: "1", name: title, type: "collection" })}\n`],
    [
      "collection.bru",
      [
        block("auth", ["mode: apikey"]),
        block("auth:apikey", [`key: ${header}`, "value: {{api_key}}", "placement: header"]),
      ].join("\n"),
    ],
    [
      "environments/mock.bru",
      block(
        "vars",
        Object.entries(variables).map(([name, value]) => `${name}: ${value}`),
      ),
    ],
  ]);
  for (const [at, folder] of folders.entries()) {
    files.set(`${folder}/folder.bru`, block("meta", [`name: ${folder}`, `seq: ${at + 1}`]));
    for (const [index, call] of calls.filter((each) => each.folder === folder).entries()) {
      const keeps = keptOf(call);
      const required = queryOf(call.query.filter(({ isRequired }) => isRequired));
      const query = call.query.map(({ name, value, isRequired }) => `${isRequired ? "" : "~"}${name}: ${value}`);
      const blocks = [
        block("meta", [`name: ${call.name}`, "type: http", `seq: ${index + 1}`]),
        block(call.method.toLowerCase(), [
          `url: ${urlOf(call)}${required}`,
          `body: ${call.body === undefined ? "none" : "json"}`,
          "auth: inherit",
        ]),
        ...(query.length > 0 ? [block("params:query", query)] : []),
        ...(call.isRepeatable ? [block("headers", ["Idempotency-Key: {{$guid}}"])] : []),
        ...(call.body === undefined ? [] : [block("body:json", text(json(call.body)))]),
        ...(keeps ? [block("vars:post-response", [`${keeps.variable}: res.body.${keeps.place}`])] : []),
        block("docs", text(call.description)),
      ];
      files.set(`${folder}/${call.file}.bru`, blocks.join("\n"));
    }
  }
  return files;
}

/** An example in a file of its own. Of those in the document Specmatic takes only pairs of a request and a response that have one name. */
function specmatic({ header, variables }: About, call: Call): object {
  const { name, method, path, query, body, needsKey, answer } = call;
  const required = query.filter(({ isRequired }) => isRequired).map((one) => [one.name, one.value] as const);
  return {
    name,
    "http-request": {
      method,
      path: path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => variables[variable] ?? ""),
      ...(required.length > 0 && { query: Object.fromEntries(required) }),
      headers: {
        ...(needsKey && { [header]: variables.api_key }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body }),
    },
    "http-response": answer,
  };
}
