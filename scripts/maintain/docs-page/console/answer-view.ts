/** Shows what came of a request. */
import { element } from "./dom.ts";
import type { Answer } from "./exchange.ts";
import { reasonsView } from "./reasons-view.ts";

/** The status, what the answer says where that is a reason, the headers and the body, JSON indented. */
export function answerView(operationId: string, { status, reason, headers, body, durationMs }: Answer): HTMLElement {
  const reasons = status === 200 ? reasonsView(operationId, body) : undefined;
  const kind = status < 400 ? "try-good" : "try-bad";
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  return element(
    "div",
    {},
    element(
      "p",
      { class: "try-status" },
      element("strong", { class: kind }, `${status} ${reason}`.trim()),
      ` in ${durationMs} ms`,
    ),
    ...(reasons ? [reasons] : []),
    element("details", { open: !reasons }, element("summary", {}, "Headers"), block("Response headers", lines)),
    body === "" ? element("p", {}, "The answer has no body.") : block("Response body", indented(body)),
  );
}

/** A sentence about why there is no answer. */
export function problemView(problem: string): HTMLElement {
  return element("p", { class: "try-problem" }, problem);
}

/** Can be reached and scrolled by keyboard, which a plain `pre` cannot in every browser. */
function block(label: string, text: string): HTMLElement {
  return element("pre", { tabindex: "0", role: "region", "aria-label": label }, text);
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
