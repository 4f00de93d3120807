/** What the reference's pages do in a browser: try an operation on the service that they come from, and follow links of before. */
import { useData, withBase } from "vitepress";
import { computed, defineComponent, h, onBeforeUnmount, onMounted, reactive, ref } from "vue";
import type { components } from "../../../generated/types.ts";

type Parameter = { name: string; in: "path" | "query" | "header"; required: boolean; values: string[] };
type Tried = {
  method: string;
  path: string;
  needsKey: boolean;
  parameters: Parameter[];
  bodies: { title: string; value: unknown }[];
};
type Answer = { status: string; isGood: boolean; text: string };

const keyPlace = "chain-webhooks.key";
/** A list of more is no help. */
const mostListed = 1_000;
const keyHeader = "x-service-api-key";

/** A page is read from the service at `/docs/`, so its API is at the same origin: no other site is asked, and none may ask. */
export const TryIt = defineComponent({
  name: "TryIt",
  setup() {
    const { frontmatter } = useData();
    const tried = computed(() => frontmatter.value.tryIt as Tried);
    const key = ref("");
    const given = reactive<Record<string, string>>({});
    const body = ref("");
    const webhooks = ref<components["schemas"]["Webhook"][]>([]);
    const note = ref("");
    const isBusy = ref(false);
    const answer = ref<Answer>();

    const headers = (): Record<string, string> => (key.value ? { [keyHeader]: key.value } : {});
    const usesWebhook = () => tried.value.path.includes("/webhooks/{id}");

    /** So that one's own are there to choose from. */
    async function findWebhooks(): Promise<void> {
      keepKey(key.value);
      webhooks.value = [];
      note.value = "";
      const asked = key.value;
      if (!usesWebhook() || asked === "") return;
      const found: components["schemas"]["Webhook"][] = [];
      let pageToken: string | undefined;
      try {
        do {
          const query = new URLSearchParams({ pageSize: "100", ...(pageToken && { pageToken }) });
          const response = await fetch(`/v1/webhooks?${query}`, { headers: headers() });
          const read = await response.json();
          // Another key was entered meanwhile.
          if (asked !== key.value) return;
          if (!response.ok) throw new Error(read.message);
          const page: components["schemas"]["WebhookPage"] = read;
          found.push(...page.webhooks);
          pageToken = page.nextPageToken || undefined;
        } while (pageToken && found.length < mostListed);
      } catch (error) {
        if (asked === key.value)
          note.value = `Your webhooks could not be listed: ${error instanceof Error ? error.message : error}`;
        return;
      }
      if (found.length === 0) note.value = "The key's account has no webhooks yet.";
      if (pageToken) note.value = `The account has more than ${mostListed} webhooks. Enter the id of one.`;
      if (pageToken || found.length === 0) return;
      webhooks.value = found;
      // What was chosen may be another account's.
      if (!found.some(({ id }) => id === given.id)) given.id = found[0]?.id ?? "";
    }

    /** What a browser would send as something else, or not at all without naming the field. */
    function whyNotToSend(): string | undefined {
      const { parameters } = tried.value;
      const step = parameters.find(({ name, in: place }) => place === "path" && /^\.\.?$/.test(given[name] ?? ""));
      if (step) return `${step.name} must not be ${given[step.name]}: a browser takes it for a step in the path.`;
      const names = parameters.filter(({ in: place }) => place === "header").map(({ name }) => name);
      const values = [[keyHeader, key.value], ...names.map((name) => [name, given[name] ?? ""])] as const;
      for (const [name, value = ""] of values) {
        const [sign] = /[^\t\x20-\x7e\x80-\xff]/.exec(value) ?? [];
        if (sign) return `${name} must not contain ${sign.trim() || "what is no letter"}: no header can hold it.`;
      }
      return undefined;
    }

    async function send(): Promise<void> {
      if (isBusy.value) return;
      const wrong = whyNotToSend();
      if (wrong) {
        answer.value = { status: "Not sent", isGood: false, text: wrong };
        return;
      }
      isBusy.value = true;
      const { method, path, parameters, bodies } = tried.value;
      const filled = parameters.filter(({ name }) => given[name]);
      const of = (place: Parameter["in"]) => filled.filter((one) => one.in === place);
      const valueFor = (name: string) => given[name] ?? "";
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueFor(name)));
      const query = new URLSearchParams(of("query").map(({ name }) => [name, valueFor(name)]));
      const began = performance.now();
      try {
        const response = await fetch(`${url}${query.size > 0 ? `?${query}` : ""}`, {
          method,
          headers: {
            ...headers(),
            ...Object.fromEntries(of("header").map(({ name }) => [name, valueFor(name)])),
            ...(bodies.length > 0 && { "content-type": "application/json" }),
          },
          ...(bodies.length > 0 && { body: body.value }),
        });
        const text = await response.text();
        const ms = Math.round(performance.now() - began);
        answer.value = {
          status: `${response.status} ${response.statusText}, ${ms} ms`,
          isGood: response.ok,
          text: indentedJson(text),
        };
      } catch (error) {
        answer.value = { status: "No answer", isGood: false, text: String(error) };
      }
      isBusy.value = false;
    }

    onMounted(() => {
      key.value = keptKey();
      body.value = JSON.stringify(tried.value.bodies[0]?.value, null, 2) ?? "";
      void findWebhooks();
    });

    const field = (name: string, required: boolean, input: ReturnType<typeof h>) =>
      h("label", { key: name }, [h("span", [h("code", name), required ? undefined : " (optional)"]), input]);

    const entry = ({ name, in: place, required, values }: Parameter) => {
      const isWebhook = name === "id" && place === "path" && webhooks.value.length > 0;
      const choices = isWebhook
        ? webhooks.value.map((one) => [one.id, `${one.name || one.url} (${one.status})`] as const)
        : values.map((value) => [value, value] as const);
      const common = {
        name,
        required,
        value: given[name] ?? "",
        onInput: (event: Event) => {
          given[name] = (event.target as HTMLInputElement | HTMLSelectElement).value;
        },
      };
      if (choices.length === 0) return h("input", { ...common, type: "text", autocomplete: "off", spellcheck: false });
      return h("select", common, [
        ...(required && isWebhook ? [] : [h("option", { value: "" }, required ? "Choose one" : "not set")]),
        ...choices.map(([value, text]) => h("option", { value }, text)),
      ]);
    };

    return () => {
      const { method, path, needsKey, parameters, bodies } = tried.value;
      const onSubmit = (event: Event) => {
        event.preventDefault();
        void send();
      };
      return h("form", { class: "try-it", onSubmit }, [
        h("noscript", "This form needs scripts. The commands above do the same."),
        needsKey
          ? h("label", [
              h("span", ["API key, ", h("code", keyHeader)]),
              h("input", {
                ...{ type: "password", name: "key", autocomplete: "off", required: true, value: key.value },
                onInput: (event: Event) => {
                  key.value = (event.target as HTMLInputElement).value.trim();
                },
                onChange: findWebhooks,
              }),
              h(
                "small",
                "It stays in this tab until you close it, and goes only to the service that this page is from.",
              ),
            ])
          : undefined,
        ...parameters.map((one) => field(one.name, one.required, entry(one))),
        note.value ? h("p", { class: "note", role: "status" }, note.value) : undefined,
        bodies.length > 1
          ? h("label", [
              h("span", "Example"),
              h(
                "select",
                {
                  onChange: (event: Event) => {
                    const { value } = bodies[(event.target as HTMLSelectElement).selectedIndex] ?? {};
                    body.value = JSON.stringify(value, null, 2);
                  },
                },
                bodies.map(({ title }) => h("option", title)),
              ),
            ])
          : undefined,
        bodies.length > 0
          ? h("label", [
              h("span", "Body"),
              h("textarea", {
                ...{ name: "body", rows: 12, spellcheck: false, value: body.value },
                onInput: (event: Event) => {
                  body.value = (event.target as HTMLTextAreaElement).value;
                },
              }),
            ])
          : undefined,
        // Not disabled meanwhile, which would take the focus away from who sends by keyboard.
        h("button", { type: "submit", "aria-disabled": isBusy.value }, `Send ${method} ${path}`),
        h("div", { "aria-live": "polite" }, [
          answer.value
            ? [
                h("p", { class: answer.value.isGood ? "good" : "bad" }, answer.value.status),
                h("pre", { tabindex: 0, "aria-label": "Answer" }, answer.value.text),
              ]
            : undefined,
        ]),
      ]);
    };
  },
});

/** The tab forgets it when it is closed. A browser may be set to keep nothing, and then throws. */
function keepKey(key: string): void {
  try {
    sessionStorage.setItem(keyPlace, key);
  } catch {}
}

function keptKey(): string {
  try {
    return sessionStorage.getItem(keyPlace) ?? "";
  } catch {
    return "";
  }
}

function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text || "(empty)";
  }
}

/**
 * The reference was one page. Its links, such as `#/webhooks/listwebhooks`, `#operation/listWebhooks` and `#/section/matching`, go to where
 * what they meant is now.
 */
export const OldAnchors = defineComponent({
  name: "OldAnchors",
  setup() {
    const { frontmatter } = useData();
    function follow(): void {
      const hash = decodeURIComponent(location.hash.slice(1)).toLowerCase();
      if (!hash.includes("/")) return;
      const parts = hash.split(/[/&]/);
      const operations = frontmatter.value.operations as string[];
      const meant = operations.find((id) => parts.includes(id.toLowerCase()));
      const heading = (parts.findLast((part) => part !== "") ?? "").replaceAll(" ", "-");
      if (meant) location.replace(withBase(`/reference/${meant}`));
      else if (document.getElementById(heading)) location.replace(`#${heading}`);
    }
    onMounted(() => {
      follow();
      addEventListener("hashchange", follow);
    });
    onBeforeUnmount(() => removeEventListener("hashchange", follow));
    return () => undefined;
  },
});
