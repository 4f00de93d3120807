/**
 * The notifications as an AsyncAPI 3.0 document (https://www.asyncapi.com/docs/reference/specification/v3.0.0), for tools that show or generate what
 * is sent. It says nothing that the OpenAPI document does not.
 */
import { asArray, asObject, type JsonObject, resolvedObject } from "../document/json.ts";

type Parameter = { name: string; description: string; required?: boolean; schema: JsonObject; example?: string };

/** @param document the published one, without references to other files */
export function asyncApi(document: JsonObject): JsonObject {
  const { title, version, license, summary } = asObject(document.info);
  const callbacks = Object.entries(asObject(document.webhooks)).map(([name, item]): [string, JsonObject] => [
    name,
    asObject(asObject(item).post),
  ]);
  const messages = callbacks.map(([name, post]): [string, JsonObject] => [name, messageOf(document, post)]);
  const { identifier, name: licenceName } = asObject(license);
  return {
    asyncapi: "3.0.0",
    info: {
      title: `${title}: notifications`,
      version,
      license: { name: identifier ?? licenceName },
      description: `${summary} What the service POSTs to a webhook's \`url\`. To register one, see the OpenAPI document.`,
    },
    defaultContentType: "application/json",
    channels: {
      endpoint: {
        address: "{url}",
        title: "A webhook's endpoint",
        parameters: {
          url: { description: "The `url` that the webhook was created with.", examples: ["https://example.com/hooks"] },
        },
        messages: Object.fromEntries(messages.map(([name]) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: Object.fromEntries(
      callbacks.map(([name, { summary: what, description }]) => [
        name,
        {
          action: "send",
          channel: { $ref: "#/channels/endpoint" },
          title: what,
          description,
          bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
          messages: [{ $ref: `#/channels/endpoint/messages/${name}` }],
        },
      ]),
    ),
    components: { messages: Object.fromEntries(messages), schemas: schemasOf(document, messages) },
  };
}

function messageOf(document: JsonObject, post: JsonObject): JsonObject {
  const parameters = asArray(post.parameters).map((each) => resolvedObject(document, each) as unknown as Parameter);
  const { schema, examples } = asObject(asObject(asObject(post.requestBody).content)["application/json"]);
  const headers = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  return {
    name: post.operationId,
    title: post.summary,
    contentType: "application/json",
    headers: {
      type: "object",
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(
        parameters.map(({ name, description, schema: its }) => [name, { allOf: [its], description }]),
      ),
    },
    payload: schema,
    examples: Object.entries(asObject(examples)).map(([name, example]) => {
      const { summary, value } = resolvedObject(document, example);
      return { name, ...(summary !== undefined && { summary }), headers, payload: value };
    }),
  };
}

/** Those that messages refer to, directly or through others. */
function schemasOf(document: JsonObject, messages: unknown): JsonObject {
  const all = asObject(asObject(document.components).schemas);
  const found = new Map<string, JsonObject>();
  const waiting: unknown[] = [messages];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      const schema = asObject(all[name]);
      found.set(name, schema);
      waiting.push(schema);
    }
  }
  return Object.fromEntries([...found].sort(([one], [other]) => one.localeCompare(other)));
}
