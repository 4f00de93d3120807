/** Scrapes metrics as Prometheus does, and reads its text format. */

/** A sample's value, by its name without the prefix and its labels in the order of their names: `chain_stopped{chain_id="1"}`. */
export type Samples = Map<string, number>;

/** @param url of the service's metrics @throws where the answer is not what Prometheus takes */
export async function scrape(url: string | undefined): Promise<Samples> {
  const response = await fetch(`${url}/metrics`);
  const type = response.headers.get("content-type");
  if (response.status !== 200 || !type?.startsWith("text/plain; version=0.0.4"))
    throw new Error(`${response.status} ${type}`);
  const samples: Samples = new Map();
  for (const line of (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
    const [, name = "", labels = "", value = ""] =
      /^([a-z0-9_]+)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === "") throw new Error(`no sample: ${line}`);
    const sorted = [...labels.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(([label]) => label).sort();
    samples.set(
      `${name.replace(/^chain_webhooks_/, "")}${sorted.length > 0 ? `{${sorted.join()}}` : ""}`,
      Number(value),
    );
  }
  return samples;
}
