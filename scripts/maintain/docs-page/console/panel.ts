/** The console: one panel in which an operation is chosen, filled in and sent. What is typed stays in memory, never elsewhere. */
import type { PageOperation } from "../operations.ts";
import { answerView, problemView } from "./answer-view.ts";
import { element, labelled } from "./dom.ts";
import { exchange } from "./exchange.ts";
import { type Fields, fieldId, type Memory, makeFields } from "./fields.ts";
import { type ConsoleModel, defaultServer } from "./model.ts";
import { explaining } from "./reasons-view.ts";
import { parametersIn, prepare } from "./request.ts";

/** The panel, and how to have it show an operation. */
export type Panel = { root: HTMLElement; select: (operationId: string) => void };

/** Makes the panel. @throws when the model holds no operation */
export function makePanel({ keyHeader, server, operations }: ConsoleModel, close: () => void): Panel {
  const memory: Memory = new Map();
  const answers = new Map<string, HTMLElement>();
  const serverField = field({ id: fieldId("server"), type: "url", required: true });
  serverField.value = defaultServer(new URL(location.href), server);
  const key = field({ id: fieldId("key"), type: "password", "data-1p-ignore": true, "data-lpignore": "true" });
  const choice = element("select", { id: fieldId("operation"), autocomplete: "off" }, ...options(operations));
  const why = element("button", { type: "button", class: "try-link" }, "Why was I not notified of a transaction?");
  const place = element("p", { class: "try-place" });
  const fieldset = element("div", {});
  const send = element("button", { type: "submit", class: "try-send" }, "Send");
  const cancel = element("button", { type: "button", hidden: true }, "Cancel");
  const result = element("div", { class: "try-result", role: "status", "aria-label": "Answer" });
  let inFlight: AbortController | undefined;
  let shown = first(operations);
  let fields: Fields = makeFields(shown, memory);

  function show(operation: PageOperation): void {
    inFlight?.abort();
    shown = operation;
    fields = makeFields(operation, memory);
    choice.value = operation.operationId;
    const readAbout = element("a", { href: operation.link }, "What it does");
    place.replaceChildren(element("code", {}, `${operation.method} ${operation.path}`), " ", readAbout);
    fieldset.replaceChildren(...fields.elements);
    result.replaceChildren(...[answers.get(operation.operationId)].filter((one) => one !== undefined));
  }

  async function submit(): Promise<void> {
    const operation = shown;
    const tell = (view: HTMLElement) => {
      answers.set(operation.operationId, view);
      if (shown === operation) result.replaceChildren(view);
    };
    form.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
    const filled = { server: serverField.value, key: key.value.trim(), values: fields.values(), body: fields.body() };
    const prepared = prepare(operation, keyHeader, filled);
    if ("problem" in prepared) {
      const wrong = document.getElementById(fieldId(prepared.field));
      wrong?.setAttribute("aria-invalid", "true");
      wrong?.focus();
      return tell(problemView(prepared.problem));
    }
    const own = new AbortController();
    inFlight = own;
    busy(true);
    result.replaceChildren(element("p", {}, "Waiting for the answer…"));
    const answer = await exchange(prepared, location.origin, own.signal);
    if (inFlight === own) busy(false);
    tell("problem" in answer ? problemView(answer.problem) : answerView(operation.operationId, answer));
    result.scrollIntoView({ block: "nearest" });
    if ("problem" in answer) return;
    const made = answer.headers.find(([name]) => name === "location")?.[1] ?? "";
    for (const [name, value] of Object.entries(parametersIn(made, operations))) memory.set(name, value);
  }

  function busy(is: boolean): void {
    send.disabled = is;
    cancel.hidden = !is;
  }

  const form = element(
    "form",
    { novalidate: true, autocomplete: "off" },
    labelled("Server", serverField),
    labelled(`API key (${keyHeader})`, key, "Kept in this page's memory until it is closed or reloaded."),
    labelled("Operation", choice),
    why,
    place,
    fieldset,
    element("div", { class: "try-buttons" }, send, cancel),
  );
  why.addEventListener("click", () => {
    show(named(operations, explaining.explanation) ?? shown);
    const empty = [serverField, key].find(({ value }) => value === "");
    (empty ?? document.getElementById(fieldId("txHash")))?.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!send.disabled) void submit();
  });
  cancel.addEventListener("click", () => inFlight?.abort());
  choice.addEventListener("change", () => show(named(operations, choice.value) ?? shown));
  show(shown);

  const title = element("h2", { id: "try-it-title" }, "Try it");
  const end = element("button", { type: "button", class: "try-close", "aria-label": "Close" }, "×");
  end.addEventListener("click", close);
  const root = element(
    "div",
    { id: "try-it", role: "dialog", "aria-labelledby": "try-it-title", hidden: true },
    element("header", {}, title, end),
    form,
    result,
  );
  const select = (operationId: string) => {
    const operation = named(operations, operationId);
    if (operation && operation !== shown) show(operation);
  };
  return { root, select };
}

function field(attributes: Record<string, string | boolean>): HTMLInputElement {
  return element("input", { autocomplete: "off", spellcheck: "false", ...attributes });
}

function options(operations: readonly PageOperation[]): HTMLElement[] {
  return [...new Set(operations.map(({ tag }) => tag))].map((tag) => {
    const own = operations.filter((one) => one.tag === tag);
    const entries = own.map(({ operationId, summary }) => element("option", { value: operationId }, summary));
    return element("optgroup", { label: tag }, ...entries);
  });
}

function named(operations: readonly PageOperation[], operationId: string): PageOperation | undefined {
  return operations.find((one) => one.operationId === operationId);
}

function first(operations: readonly PageOperation[]): PageOperation {
  const [operation] = operations;
  if (!operation) throw new Error("The contract has no operation to try.");
  return operation;
}
