/** The report as one HTML file, for people: it needs nothing else, is readable on a phone, and dark where the reader prefers that. */
import type { Finding } from "../findings.ts";
import { fixes } from "../fixes.ts";
import { rules } from "../rules.ts";
import type { Examined } from "../run.ts";
import { escaped } from "./junit.ts";
import { brokenRules, type Cell, countsOf, outcomeOf, type ReportRow, type RuleState } from "./outcome.ts";
import { style } from "./style.ts";
import { names } from "./table.ts";

const marks: Record<RuleState, string> = { passed: "✓", failed: "✗", "not provoked": "–", skipped: "skipped" };
const words: Record<RuleState, string> = {
  passed: "passed",
  failed: "failed",
  "not provoked": "documented, but not provoked",
  skipped: "left out of this run",
};
const nameOf = (subject: string) => names[subject] ?? subject;

/** The report as a page. Whatever a server sent is text in it, and never markup. */
export function toHtml(examined: Examined): string {
  const { server, startedAt, durationMs, findings, notes, left, exchanges } = examined;
  const rows = outcomeOf(examined);
  const broken = brokenRules(findings);
  const verdict = findings.length === 0 ? "Passed" : "Failed";
  const at = new Date(startedAt).toISOString();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${verdict}: conformance of ${escaped(server)}</title>
<style>${style}</style>
</head>
<body>
<header class="${verdict.toLowerCase()}">
<p class="verdict">${verdict}</p>
<h1>Conformance of <span class="server">${escaped(server)}</span></h1>
<p>${summaryOf(rows, broken.length)} ${exchanges.length.toLocaleString("en")} requests in ${seconds(durationMs)}, on
<time datetime="${at}">${at.slice(0, 16).replace("T", " ")} UTC</time>.</p>
</header>
<main>
${broken.length > 0 ? `<section>\n<h2>What to fix</h2>\n${broken.map((rule) => failures(rule, findings)).join("\n")}\n</section>` : ""}
<section>
<h2>Operations</h2>
<p class="legend">${legend(rows)}</p>
<ul class="operations">
${rows.map(operation).join("\n")}
</ul>
</section>
${list("What this run did not examine", notes)}
${list("Webhooks that could not be deleted", left)}
</main>
</body>
</html>
`;
}

function summaryOf(rows: readonly ReportRow[], broken: number): string {
  const { passed, failed } = countsOf(rows);
  const statuses = `${passed} of ${passed + failed} examined statuses passed.`;
  return broken === 0 ? statuses : `${broken} ${broken === 1 ? "rule is" : "rules are"} broken. ${statuses}`;
}

function seconds(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 100) / 10} seconds` : `${Math.round(ms / 60_000)} minutes`;
}

/** A rule, how to fix it, and each request that shows that it is broken. */
function failures(rule: Finding["rule"], findings: readonly Finding[]): string {
  const own = findings.filter((one) => one.rule === rule);
  const more = own.length === 1 ? "" : ` <span class="count">${own.length} times</span>`;
  return `<article id="${rule}">
<h3><code>${rule}</code>${more}</h3>
<p>${sentence(rules[rule])}</p>
<p class="fix"><strong>Fix:</strong> ${sentence(fixes[rule])}</p>
${own.map((one, index) => evidence(one, index === 0)).join("\n")}
</article>`;
}

function evidence({ subject, status, by, request, expected, came, requests = [] }: Finding, open: boolean): string {
  const title = `${escaped(nameOf(subject))}${status > 0 ? ` ${status}` : ""}`;
  const row = (name: string, text: string) => `<dt>${name}</dt><dd><code>${escaped(text)}</code></dd>`;
  return `<details${open ? " open" : ""}><summary>${title}</summary>
<dl>${row("Request", request)}${row("Expected", expected)}${row("Received", came)}${requests.map((line) => row("Again", line)).join("")}<dt>Seen by</dt><dd>${escaped(by)}</dd></dl></details>`;
}

/** Plain text of ours; what is between backticks is code. */
function sentence(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function legend(rows: readonly ReportRow[]): string {
  const counts = countsOf(rows);
  const shown = (Object.keys(marks) as RuleState[]).filter((state) => counts[state] > 0);
  return shown
    .map((state) => `<span class="${classOf(state)}">${marks[state]}</span> ${words[state]}`)
    .join(" &nbsp; ");
}

function operation({ subject, cells }: ReportRow): string {
  return `<li><span class="name">${escaped(nameOf(subject))}</span><span class="cells">${cells.map(cell).join("")}</span></li>`;
}

function cell({ status, state, findings }: Cell): string {
  const said = status === 0 ? "no answer" : String(status);
  const [first] = findings;
  const text = `<span>${said}</span> ${marks[state]}<span class="hidden"> ${words[state]}</span>`;
  const attributes = `class="cell ${classOf(state)}" title="${escaped(`${said}: ${words[state]}`)}"`;
  return first ? `<a href="#${first.rule}" ${attributes}>${text}</a>` : `<span ${attributes}>${text}</span>`;
}

const classOf = (state: RuleState) => state.replace(" ", "-");

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  return `<section>\n<h2>${title}</h2>\n<ul>${items.map((item) => `<li>${sentence(item)}</li>`).join("")}</ul>\n</section>`;
}
