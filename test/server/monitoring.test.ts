/** The dashboard and the alert rules use only metrics that the service has, and lead to what must be done. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";
import { collectDefaultMetrics } from "prom-client";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../../server/base/metrics.ts";

type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity?: string };
  annotations: Record<string, string>;
};
type Panel = {
  title: string;
  type: string;
  targets?: { expr: string; legendFormat: string }[];
  fieldConfig?: { defaults: { unit?: string } };
};

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const { groups } = parse(read("server/monitoring/alerts.yaml")) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("server/monitoring/dashboard.json")) as { panels: Panel[] };
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ name: title, expr, text: legendFormat })),
);
const asked = [
  ...rules.map(({ alert, expr, annotations }) => ({
    name: alert,
    expr,
    text: `${annotations.summary} ${annotations.description}`,
  })),
  ...queries,
];

/** The service's samples by metric name, with their labels. */
async function reported(): Promise<Map<string, readonly string[]>> {
  const { registry } = createMetrics();
  collectDefaultMetrics({ register: registry });
  const names = new Map<string, readonly string[]>();
  for (const metric of registry.getMetricsAsArray()) {
    const { name } = metric;
    const { labelNames, type } = metric as unknown as { labelNames: string[]; type?: string };
    const isHistogram = type === "histogram" || "buckets" in metric;
    for (const suffix of isHistogram ? ["_bucket", "_sum", "_count"] : [""])
      names.set(name + suffix, suffix === "_bucket" ? [...labelNames, "le"] : labelNames);
  }
  return names;
}

/** A query's parts of one kind. Grafana's own variables are put in as it would. */
function parts(expr: string, kind: string): { text: string; node: SyntaxNode }[] {
  const query = expr.replaceAll("$__rate_interval", "5m");
  const found: { text: string; node: SyntaxNode }[] = [];
  parser.parse(query).iterate({
    enter({ node, type }) {
      if (type.name === kind) found.push({ text: query.slice(node.from, node.to), node });
    },
  });
  return found;
}

describe.each(asked)("$name: $expr", ({ expr, text }) => {
  test("is PromQL on metrics and labels of the service", async () => {
    expect(parts(expr, "⚠")).toEqual([]);
    const names = await reported();
    const labels = new Set(["instance", "cell"]);
    for (const { text: name } of parts(expr, "VectorSelector").map(({ text: selector }) => ({
      text: /^[\w:]+/.exec(selector)?.[0] ?? "",
    }))) {
      expect([...names.keys()]).toContain(name);
      for (const label of names.get(name) ?? []) labels.add(label);
    }
    const named = [...parts(expr, "LabelName"), ...parts(expr, "UnquotedLabelMatcher")].map(
      ({ text: label }) => /^\w+/.exec(label)?.[0],
    );
    const shown = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label]) => label);
    expect([...labels]).toEqual(expect.arrayContaining([...named, ...shown]));
  });
});

/** The fragments of a page's headings, as the site makes them. */
function anchorsIn(page: string): string[] {
  const titles = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("every alert has a unique name, a delay, a severity, and a link to its own section", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const sections = anchorsIn("docs/alerts.md").slice(1);
  for (const { alert, for: patience, labels, annotations } of rules) {
    expect(alert).toMatch(/^ChainWebhooks[A-Z]/);
    expect(patience).toMatch(/^\d+m$/);
    expect(["page", "warn"].map((severity) => ({ severity }))).toContainEqual(labels);
    expect(Object.keys(annotations)).toEqual(["summary", "description", "runbook_url"]);
    // By default it can be clicked on the machine of the service; the label is for all others.
    const [, fallback, path, section] =
      /^\{\{ with \$externalLabels\.chain_webhooks_docs \}\}\{\{ \. \}\}\{\{ else \}\}(.+)\{\{ end \}\}(.*)#(.*)$/.exec(
        annotations.runbook_url ?? "",
      ) ?? [];
    expect([URL.canParse(fallback ?? ""), path, section]).toEqual([true, "/alerts", alert.toLowerCase()]);
    expect(sections).toContain(section);
  }
  expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert.toLowerCase()).toSorted());
});

test("each section of an alert has its severity, and a first thing to look at", () => {
  for (const section of read("docs/alerts.md").split(/^## /m).slice(1)) {
    const [title = "", text = ""] = section.split(/\n(.*)/s);
    const rule = rules.find(({ alert }) => alert === title);
    expect(text.trim(), title).toMatch(new RegExp(`^\`${rule?.labels.severity}\`\\. .*^1\\. \\S`, "ms"));
  }
});

test("what Prometheus is configured with in the guide names the label of the links, and the port of the guide", () => {
  const [, text = ""] = /```yaml\n(global:.*?)```/s.exec(read("docs/monitoring.md")) ?? [];
  const { global, scrape_configs: jobs } = parse(text);
  expect(global.external_labels.chain_webhooks_docs).toMatch(/^https:.*\/docs$/);
  expect(jobs[0].static_configs[0].targets).toContain("127.0.0.1:9464");
});

test("each panel of the dashboard has the unit of what it shows", () => {
  for (const { title, type, targets = [], fieldConfig } of dashboard.panels) {
    if (type === "row") continue;
    const unit = fieldConfig?.defaults.unit;
    expect([title, unit]).toEqual([title, expect.any(String)]);
    for (const { expr } of targets) {
      const isQuantile = expr.startsWith("histogram_quantile");
      const isRate = /\brate\(/.test(expr) && !isQuantile;
      if (/_seconds(_bucket)?\b/.test(expr) && (isQuantile || !isRate) && !/_depth_blocks/.test(expr))
        expect([title, unit]).toEqual([title, "s"]);
      if (isRate && / a second/.test(title) && targets.length === 1)
        expect([title, unit]).toEqual([title, expect.stringMatching(/^reqps$|\/s$/)]);
    }
  }
});

test("a test fires every alert", () => {
  const tests = read("server/monitoring/alerts.test.yaml");
  for (const { alert } of rules) expect(tests).toContain(`alertname="${alert}"`);
});

test("the dashboard shows every metric of the service's own", async () => {
  const shown = queries.map(({ expr }) => expr).join();
  const own = createMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  expect(own.filter((name) => !shown.includes(name))).toEqual([]);
});

test("every metric has a help sentence and a name by Prometheus' conventions", () => {
  for (const metric of createMetrics().registry.getMetricsAsArray()) {
    const { name, help } = metric as unknown as { name: string; help: string };
    expect(name).toMatch(/^chain_webhooks_[a-z]+(_[a-z]+)*$/);
    expect(help, name).toMatch(/^[A-Z0-9].*[^.]\.?$/);
    expect(name, "units are base units").not.toMatch(/_(ms|milliseconds|minutes|kilobytes)$/);
    if (metric.constructor.name === "Counter") expect(name).toMatch(/_total$/);
    if (metric.constructor.name.endsWith("Histogram")) expect(name).toMatch(/_(seconds|bytes|blocks)$/);
    if (metric.constructor.name === "Gauge") expect(name).not.toMatch(/_(total|count|sum|bucket)$/);
  }
});
