/**
 * Stands in for what AWS puts in front of a function, since there is no AWS here: each request becomes an event as AWS's documents show it, and the
 * function's answer becomes the response. Copied into the stacks' project, and run there: `lambda-gateway.ts SHAPE`.
 *
 * - Function URLs: docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 * - API Gateway, HTTP APIs: docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 * - API Gateway, REST APIs: docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 * - Load balancers: docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
import { createServer, type IncomingMessage } from "node:http";
import type {
  ALBEvent,
  ALBHandler,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLEvent,
  LambdaFunctionURLHandler,
} from "aws-lambda";
import { handler } from "./lambda.ts";

// The compiler holds the one line to AWS's own types.
[handler] satisfies [APIGatewayProxyHandler & APIGatewayProxyHandlerV2 & LambdaFunctionURLHandler & ALBHandler];

type Incoming = { method: string; path: string; headers: Record<string, string>; body: Buffer };

/** As text, but for bytes that are none: what AWS calls `isBase64Encoded`. */
const asText = ({ body }: Incoming) => ({ body: body.toString("utf8"), isBase64Encoded: false });
const asBase64 = ({ body }: Incoming) => ({ body: body.toString("base64"), isBase64Encoded: true });
const capitalised = (name: string) => name.replace(/(?:^|-)\w/g, (letter) => letter.toUpperCase());

/** Payload 2.0: names in lower case, several values of one joined by commas. */
function payload2({ method, path, headers }: Incoming, body: { body?: string; isBase64Encoded: boolean }) {
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: "",
    headers,
    requestContext: {
      accountId: "123456789012",
      apiId: "url-id",
      domainName: "url-id.lambda-url.us-west-2.on.aws",
      domainPrefix: "url-id",
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "123.123.123.123", userAgent: headers["user-agent"] ?? "" },
      requestId: "id",
      routeKey: "$default",
      stage: "$default",
      time: "12/Mar/2020:19:03:58 +0000",
      timeEpoch: 1583348638390,
    },
    ...body,
  } satisfies APIGatewayProxyEventV2 & LambdaFunctionURLEvent;
}

/** Payload 1.0: names as the client wrote them. */
function payload1({ method, path, headers }: Incoming, body: { body: string | null; isBase64Encoded: boolean }) {
  const entries = Object.entries(headers).map(([name, value]) => [capitalised(name), value] as const);
  return {
    resource: "/hooks",
    path,
    httpMethod: method,
    headers: Object.fromEntries(entries),
    multiValueHeaders: Object.fromEntries(entries.map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: { httpMethod: method, stage: "test" } as APIGatewayProxyEvent["requestContext"],
    ...body,
  } satisfies APIGatewayProxyEvent;
}

const shapes: Record<string, (incoming: Incoming) => object> = {
  "function-url": (incoming) => payload2(incoming, asText(incoming)),
  "function-url-base64": (incoming) => payload2(incoming, asBase64(incoming)),
  "rest-api": (incoming) =>
    payload1(incoming, { ...asText(incoming), ...(incoming.body.length === 0 && { body: null }) }),
  "rest-api-base64": (incoming) => payload1(incoming, asBase64(incoming)),
  "load-balancer": ({ method, path, headers, body }) =>
    ({
      requestContext: {
        elb: { targetGroupArn: "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/a/b" },
      },
      httpMethod: method,
      path,
      multiValueQueryStringParameters: {},
      multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      ...asBase64({ method, path, headers, body }),
    }) satisfies ALBEvent,
};
const shape = shapes[process.argv[2] ?? ""];
if (!shape) throw new Error(`The shape must be one of ${Object.keys(shapes).join(", ")}.`);

async function read(request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? "", path: request.url ?? "", headers, body: Buffer.concat(chunks) };
}

const server = createServer((request, response) => {
  request.on("error", () => undefined);
  read(request)
    .then((incoming) => handler(JSON.parse(JSON.stringify(shape(incoming)))))
    .then(({ statusCode, headers, body }) => response.writeHead(statusCode, headers).end(body))
    .catch(() => response.destroy());
});
server.listen(Number(process.env.PORT), "127.0.0.1");
