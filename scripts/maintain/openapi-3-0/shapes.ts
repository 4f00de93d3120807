/**
 * The objects of OpenAPI 3.0.3 and their keys: the table that a document is walked by. A key that is not in it has no place
 * in 3.0, so the walk stops there instead of dropping or keeping what a reader would take otherwise.
 */

const operation = {
  tags: "copy",
  summary: "copy",
  description: "copy",
  externalDocs: "copy",
  operationId: "copy",
  parameters: "parameter[]",
  requestBody: "requestBody",
  responses: "response{}",
  callbacks: "callback{}",
  deprecated: "copy",
  security: "copy",
  servers: "copy",
};
const value = { schema: "schema", example: "copy", examples: "example{}" };
const header = {
  ...value,
  description: "copy",
  required: "copy",
  deprecated: "copy",
  allowEmptyValue: "copy",
  style: "copy",
  explode: "copy",
  allowReserved: "copy",
  content: "mediaType{}",
};

/**
 * Every shape by its name. A key holds a `copy` of what it held, an object of a shape, a list of them (`[]`) or a map to them
 * (`{}`). `callback` maps addresses to path items, and `schema` has rules of its own.
 */
export const shapes = {
  document: {
    openapi: "copy",
    info: "info",
    servers: "copy",
    paths: "pathItem{}",
    components: "components",
    security: "copy",
    tags: "copy",
    externalDocs: "copy",
  },
  info: {
    title: "copy",
    description: "copy",
    termsOfService: "copy",
    contact: "copy",
    license: "license",
    version: "copy",
  },
  license: { name: "copy", url: "copy" },
  components: {
    schemas: "schema{}",
    responses: "response{}",
    parameters: "parameter{}",
    examples: "example{}",
    requestBodies: "requestBody{}",
    headers: "header{}",
    securitySchemes: "securityScheme{}",
    callbacks: "callback{}",
  },
  pathItem: {
    summary: "copy",
    description: "copy",
    get: "operation",
    put: "operation",
    post: "operation",
    delete: "operation",
    options: "operation",
    head: "operation",
    patch: "operation",
    trace: "operation",
    servers: "copy",
    parameters: "parameter[]",
  },
  operation,
  parameter: { ...header, name: "copy", in: "copy" },
  requestBody: { description: "copy", content: "mediaType{}", required: "copy" },
  mediaType: { ...value, encoding: "copy" },
  response: { description: "copy", headers: "header{}", content: "mediaType{}" },
  header,
  example: { summary: "copy", description: "copy", value: "copy", externalValue: "copy" },
  securityScheme: {
    type: "copy",
    description: "copy",
    name: "copy",
    in: "copy",
    scheme: "copy",
    bearerFormat: "copy",
    flows: "copy",
    openIdConnectUrl: "copy",
  },
  callback: {},
  schema: {},
} satisfies Record<string, Record<string, string>>;

/** A kind of object. */
export type ShapeName = keyof typeof shapes;

/** The shape of a name in the table. @throws when the table has none. */
export function shapeNamed(name: string): ShapeName {
  const found = (Object.keys(shapes) as ShapeName[]).find((one) => one === name);
  if (!found) throw new Error(`There is no shape ${name}.`);
  return found;
}
