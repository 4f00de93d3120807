/** Faults in what a server makes of requests before their meaning: bodies, media types, parameters, paths, errors. */
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync, inflateSync } from "node:zlib";
import { type Answer, type Request, written } from "../breakage.ts";
import { asks, type Faults, leniently, queryOf, refusal, setQuery } from "./fault.ts";

const hasBody = ({ headers }: Request) => headers["content-type"] !== undefined;

/** A number as `parseInt` reads it. */
function readLoosely(request: Request, name: string): void {
  const given = queryOf(request, name);
  if (given !== null) setQuery(request, name, String(Number.parseInt(given, 10)));
}

export const ofRequests: Faults = {
  "charset-capitals-refused": {
    says: "refuses a charset that is written in capitals",
    make: () => ({
      request: ({ headers }) =>
        /charset=UTF-8/.test(headers["content-type"] ?? "") ? refusal(415, "The body must be in utf-8.") : undefined,
    }),
  },
  "charset-quoted-refused": {
    says: "refuses a charset in quotation marks",
    make: () => ({
      request: ({ headers }) =>
        /charset="/.test(headers["content-type"] ?? "") ? refusal(415, "The body must be in utf-8.") : undefined,
    }),
  },
  "media-type-capitals-refused": {
    says: "refuses a media type that is written in another case",
    make: () => ({
      request: ({ headers: { "content-type": type = "" } }) =>
        /^application\/json/i.test(type) && !type.startsWith("application/json")
          ? refusal(415, "The body must be application/json.")
          : undefined,
    }),
  },
  "suffix-json-taken": {
    says: "takes a body of application/merge-patch+json, or any other type that ends in json",
    make: () => ({
      request({ headers }) {
        if (/^[^;]+json/.test(headers["content-type"] ?? "")) headers["content-type"] = "application/json";
        return undefined;
      },
    }),
  },
  "latin-taken": {
    says: "takes a body in another charset as if it were UTF-8",
    make: () => ({
      request({ headers }) {
        const { "content-type": type } = headers;
        if (type !== undefined) headers["content-type"] = type.replace(/; *charset=.*$/i, "");
        return undefined;
      },
    }),
  },
  "gzip-refused": {
    says: "refuses compressed bodies",
    make: () => ({
      request: ({ headers }) =>
        headers["content-encoding"] === undefined ? undefined : refusal(415, "The body must not be compressed."),
    }),
  },
  "deflate-refused": {
    says: "refuses bodies that are compressed with deflate",
    make: () => ({
      request: ({ headers }) =>
        headers["content-encoding"] === "deflate" ? refusal(415, "The encoding must be gzip.") : undefined,
    }),
  },
  "compressed-unlimited": {
    says: "takes a compressed body of any size",
    make: () => ({
      request(request) {
        const { headers } = request;
        const unpack = { gzip: gunzipSync, deflate: inflateSync }[headers["content-encoding"] ?? ""];
        if (!unpack) return undefined;
        try {
          request.body = unpack(request.body).toString();
          delete headers["content-encoding"];
        } catch {
          // The correct server refuses it.
        }
        return undefined;
      },
    }),
  },
  "field-twice-taken": {
    says: "takes a body that has a field twice",
    make: () => ({
      request(request) {
        leniently(request);
        return undefined;
      },
    }),
  },
  "half-surrogates-replaced": {
    says: "replaces half of a surrogate pair in a text",
    make: () => ({
      request({ body }) {
        for (const name of ["name", "description"])
          if (typeof body?.[name] === "string") body[name] = body[name].toWellFormed();
        return undefined;
      },
    }),
  },
  "body-before-key": {
    says: "judges a malformed body before the key",
    make: () => ({
      request: ({ body, headers }) =>
        hasBody({ headers } as Request) && typeof body === "string" && !isJson(body)
          ? refusal(400, "The body must be JSON.")
          : undefined,
    }),
  },
  "array-crashes": {
    says: "fails where the body is an array",
    make: () => ({
      request: ({ body }) => (Array.isArray(body) ? refusal(500, "The service failed.") : undefined),
    }),
  },
  "scalar-crashes": {
    says: "fails where the body is a text or a number",
    make: () => ({
      request: ({ body }) =>
        typeof body === "string" && /^\s*("|\d|true)/.test(body) && isJson(body)
          ? refusal(500, "The service failed.")
          : undefined,
    }),
  },
  "percent-crashes": {
    says: "fails at a path with a malformed percent-encoding",
    make: () => ({
      request: ({ path }) =>
        /%(?![0-9a-f]{2})/i.test(path.split("?")[0] ?? "") ? refusal(500, "The service failed.") : undefined,
    }),
  },
  "zero-byte-crashes": {
    says: "fails where a parameter has a zero byte",
    make: () => ({ request: ({ path }) => (/%00/.test(path) ? refusal(500, "The service failed.") : undefined) }),
  },
  "booleans-from-texts": {
    says: 'takes "true" and "false" for booleans',
    make: () => ({
      request({ body }) {
        for (const inside of [body, body?.metadata])
          for (const name of ["includeLogs", "includeInternalTxs"])
            if (inside?.[name] === "true" || inside?.[name] === "false") inside[name] = inside[name] === "true";
        return undefined;
      },
    }),
  },
  "chain-from-number": {
    says: "takes a number for a chain's id",
    make: () => ({
      request({ body }) {
        if (typeof body?.chainId === "number") body.chainId = String(body.chainId);
        return undefined;
      },
    }),
  },
  "page-size-clamped": {
    says: "takes the largest page size in place of a larger one",
    make: () => ({
      request(request) {
        const [most] = asks(request, "GET /v1/webhooks") ? [100] : [1000];
        if (Number(queryOf(request, "pageSize")) > most) setQuery(request, "pageSize", String(most));
        return undefined;
      },
    }),
  },
  "page-size-zero-default": {
    says: "takes the default in place of a page size of 0",
    make: () => ({
      request(request) {
        if (queryOf(request, "pageSize") === "0") setQuery(request, "pageSize", undefined);
        return undefined;
      },
    }),
  },
  "page-size-parse-int": {
    says: "reads a page size as far as it is a number: 5x as 5",
    make: () => ({
      request(request) {
        readLoosely(request, "pageSize");
        return undefined;
      },
    }),
  },
  "unknown-status-ignored": {
    says: "ignores a status that does not exist",
    make: () => ({
      request(request) {
        if (!/^(active|inactive|pending|delivered|failed)$/.test(queryOf(request, "status") ?? "active"))
          setQuery(request, "status", undefined);
        return undefined;
      },
    }),
  },
  "long-token-ignored": {
    says: "ignores a page token that is too long",
    make: () => ({
      request(request) {
        if ((queryOf(request, "pageToken") ?? "").length > 512) setQuery(request, "pageToken", undefined);
        return undefined;
      },
    }),
  },
  "long-url-bad-request": {
    says: "answers a URL that is too long with 400",
    make: () => ({ request: ({ path }) => (path.length > 8192 ? refusal(400, "The URL is too long.") : undefined) }),
  },
  "scope-unauthorized": {
    says: "answers 401 to a key that lacks the scope",
    make: () => ({
      answer(answer) {
        if (answer.status === 403) Object.assign(answer, refusal(401, "The key lacks the scope."));
      },
    }),
  },
  "chains-need-key": {
    says: "needs a key to list the chains",
    make: () => ({
      request: (request) =>
        asks(request, "GET /v1/chains") && !request.headers["x-service-api-key"]
          ? refusal(401, "The header x-service-api-key must be a key.")
          : undefined,
    }),
  },
  "problem-json": {
    says: "sends errors as application/problem+json",
    make: () => ({
      answer({ status, headers }) {
        if (status >= 400) headers["content-type"] = "application/problem+json";
      },
    }),
  },
  "html-by-accept": {
    says: "answers a page to who accepts one, whatever else is accepted",
    make: () => ({
      answer(answer, { headers }) {
        if (/text\/html/.test(headers.accept ?? "")) toPage(answer);
      },
    }),
  },
  "not-acceptable": {
    says: "answers 406 unless application/json or anything is accepted by these names",
    make: () => ({
      request: ({ headers: { accept = "*/*" } }) =>
        /application\/json|\*\/\*/.test(accept) ? undefined : refusal(406, "It must accept application/json."),
    }),
  },
  "byte-order-mark": {
    says: "begins every answer with a byte order mark",
    make: () => ({
      answer(answer) {
        if (answer.body !== undefined) answer.body = `\ufeff${JSON.stringify(answer.body)}`;
      },
    }),
  },
  "large-bodies-refused": {
    says: "refuses bodies of more than 100 kB, as many frameworks do by default",
    make: () => ({
      request: ({ body }) =>
        Buffer.byteLength(written(body) ?? "") > 102_400
          ? refusal(413, "The body must have at most 100 kB.")
          : undefined,
    }),
  },
  "chains-without-traces": {
    says: "does not say of its chains whether they have traces",
    make: () => ({
      answer({ body }) {
        for (const chain of Array.isArray(body?.chains) ? body.chains : []) delete chain.traces;
      },
    }),
  },
  "limit-without-retry-after": {
    says: "limits the rate without a Retry-After",
    make() {
      let count = 0;
      return {
        async request() {
          count += 1;
          if (count % 60 !== 0) return undefined;
          await wait(1);
          return refusal(429, "There are too many requests.");
        },
      };
    },
  },
  "limit-until-a-date": {
    says: "limits the rate until a date, where the contract has seconds",
    make() {
      let count = 0;
      return {
        request() {
          count += 1;
          if (count % 60 !== 0) return undefined;
          const answer = refusal(429, "There are too many requests.");
          answer.headers["retry-after"] = new Date().toUTCString();
          return answer;
        },
      };
    },
  },
};

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

function toPage(answer: Answer): void {
  answer.headers["content-type"] = "text/html; charset=utf-8";
  answer.body = `<pre>${JSON.stringify(answer.body)}</pre>`;
}
