/** The generators of Python clients; openapi-generator has one too. */
import type { Generator } from "../harness/generator.ts";
import { noHeaders } from "./no-headers.ts";

/** A virtual environment with exactly what is pinned. The harness has `venv/bin` in the commands' path. */
export const installPython =
  "python3 -m venv venv && venv/bin/pip install --quiet --no-deps --requirement requirements.txt";
/** Nothing is compiled in Python; mypy holds the program to the client's types. */
export const checkPython = "python -m compileall -q client && mypy scenario.py --strict --follow-imports silent";

export const openapiPythonClient: Generator = {
  id: "openapi-python-client",
  name: "openapi-python-client",
  language: "Python",
  document: "3.1",
  version: { file: "openapi-python-client/requirements.txt", pattern: /^openapi-python-client==(\S+)/m },
  needs: ["python3"],
  commands: {
    install: installPython,
    generate: "openapi-python-client generate --path openapi.json --output-path client --meta none",
    compile: checkPython,
    run: "python scenario.py",
  },
  generated: "client",
  notification: "`AddressActivityNotification`, the payload as a type",
  limits: [
    {
      said: "Errors are returned, not raised: an answer is the record or an `ApiError`.",
      seenIn: "client/api/webhooks/get_webhook.py",
      has: /-> ApiError \| Webhook \| None/,
    },
    {
      said: "The client does not know the API key's header: the program names it.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
    noHeaders,
  ],
};
