/** Puts the console into the page: a button that opens it at the operation that is being read, and it follows the reader. */
import { element } from "./dom.ts";
import { fieldId } from "./fields.ts";
import { type ConsoleModel, modelId } from "./model.ts";
import { makePanel } from "./panel.ts";

const model: ConsoleModel = JSON.parse(document.getElementById(modelId)?.textContent ?? "");
const open = element("button", { id: "try-it-open", type: "button", "aria-controls": "try-it" }, "Try it");
const { root, select } = makePanel(model, () => toggle(false));

function toggle(shown: boolean): void {
  root.hidden = !shown;
  open.hidden = shown;
  open.setAttribute("aria-expanded", String(shown));
  if (shown) document.getElementById(fieldId("operation"))?.focus();
  else open.focus();
}

/** Shows the operation whose link this is, or the link of one of its fields. Others, such as the notification's, change nothing. */
function follow(link: string): void {
  const read = model.operations.find((one) => link === one.link || link.startsWith(`${one.link}#`));
  if (read) select(read.operationId);
}

open.setAttribute("aria-expanded", "false");
open.addEventListener("click", () => {
  follow(location.hash);
  toggle(true);
});
root.addEventListener("keydown", (event) => {
  // The keys of the page's own search and menu are not meant for what is typed here.
  event.stopPropagation();
  if (event.key === "Escape") toggle(false);
});
// By clicks and not by the address, which changes with mere scrolling and would take away what is being filled in.
addEventListener(
  "click",
  ({ target }) => {
    const link = target instanceof Element ? target.closest("a[href]")?.getAttribute("href") : undefined;
    if (link && !root.hidden) follow(link);
  },
  { capture: true },
);
document.body.append(open, root);
