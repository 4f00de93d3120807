/** Makes elements; text is always text, never markup. */

type Attributes = Record<string, string | boolean>;

/** @param attributes true sets one without a value, false leaves it out */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(key, value === true ? "" : value);
  made.append(...children);
  return made;
}

/** A control with its label above, and a hint below that assistive technology reads with it. */
export function labelled(label: string, control: HTMLElement, hint = ""): HTMLElement {
  const id = control.id;
  const parts: Node[] = [element("label", { for: id }, label), control];
  if (hint !== "") {
    control.setAttribute("aria-describedby", `${id}-hint`);
    parts.push(element("p", { id: `${id}-hint`, class: "try-hint" }, ...prose(hint)));
  }
  return element("div", { class: "try-field" }, ...parts);
}

/** The contract's prose, of which only names in backticks are marked up. */
function prose(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}
