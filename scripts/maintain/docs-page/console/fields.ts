/** The fields of one operation: its parameters and its body, filled with the contract's examples or with what stood there last. */
import type { PageOperation, PageParameter } from "../operations.ts";
import { element, labelled } from "./dom.ts";

/** What was typed, kept as long as the page is open. Path parameters are shared by all operations that have them. */
export type Memory = Map<string, string>;

/** The fields, as elements and as their values. */
export type Fields = {
  elements: HTMLElement[];
  values: () => Record<string, string>;
  body: () => string;
};

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Where the memory keeps a parameter. */
function memoryKey(operationId: string, { name, in: place }: Pick<PageParameter, "name" | "in">): string {
  return place === "path" ? name : `${operationId} ${name}`;
}

/** The id of a field, by the name of a parameter, or `server`, `key` or `body`. */
export const fieldId = (name: string): string => `try-it-${name}`;

/** Makes the fields. */
export function makeFields({ operationId, parameters, bodies }: PageOperation, memory: Memory): Fields {
  const remember = (key: string, control: Control, initial: string) => {
    control.value = memory.get(key) ?? initial;
    control.addEventListener("input", () => memory.set(key, control.value));
    return control;
  };
  const controls = parameters.map((parameter) => {
    // An optional example would surprise: an Idempotency-Key of yesterday, a page that is not there.
    const initial = parameter.required ? (parameter.example ?? "") : "";
    return [parameter, remember(memoryKey(operationId, parameter), parameterControl(parameter), initial)] as const;
  });
  const elements = controls.map(([{ name, in: place, required, description }, control]) =>
    labelled(`${name} (${place}${required ? "" : ", optional"})`, control, description),
  );
  const bodyKey = `${operationId} body`;
  const body = element("textarea", { id: fieldId("body"), rows: "12", spellcheck: "false", wrap: "off" });
  const texts = bodies.map(({ value }) => JSON.stringify(value, null, 2));
  if (bodies.length > 0) {
    remember(bodyKey, body, texts[0] ?? "");
    if (bodies.length > 1) {
      const options = bodies.map(({ summary }, index) => element("option", { value: String(index) }, summary));
      const choice = element("select", { id: fieldId("example"), autocomplete: "off" }, ...options);
      choice.addEventListener("change", () => {
        body.value = texts[Number(choice.value)] ?? "";
        memory.set(bodyKey, body.value);
      });
      elements.push(labelled("Example", choice));
    }
    elements.push(labelled("Body (JSON)", body));
  }
  return {
    elements,
    values: () => Object.fromEntries(controls.map(([{ name }, control]) => [name, control.value])),
    body: () => body.value,
  };
}

function parameterControl({ name, values, example = "", required }: PageParameter): Control {
  const id = fieldId(name);
  if (!values) return element("input", { id, placeholder: example, autocomplete: "off", spellcheck: "false" });
  const options = values.map((value) => element("option", { value }, value));
  if (!required) options.unshift(element("option", { value: "" }, "any"));
  return element("select", { id, autocomplete: "off" }, ...options);
}
