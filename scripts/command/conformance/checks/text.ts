/** Text comes back as it was sent, beyond ASCII too, and a body in another charset than UTF-8 is refused. */
import { asObject, type Json } from "../../../document/json.ts";
import { idOf, newWebhook, type Probe } from "../probe.ts";

// Of two, three and four bytes in UTF-8, with letters that Latin-1 has and others that it has not.
const text = "Zürich → 東京 🦊";
// With spaces at both ends and between, and with a letter and its accent apart, as some keyboards write it.
const untidy = "  Cafe\u0301  7 <b>&amp;\"' \\ %20 ";

/** Creates a webhook with such a name, and reads it back. */
export async function checkText(probe: Probe): Promise<void> {
  const created = await probe.send("createWebhook", { body: newWebhook(probe.target, { name: text }) });
  let isKept = false;
  if (created.status < 300) {
    const record = asObject(created.json);
    isKept = probe.check(created, "charset-utf-8", record.name === text, `name: ${text}`, `name: ${record.name}`);
    await probe.succeed("deleteWebhook", { path: { id: idOf(record) } });
  }
  // A server that loses letters has not tidied up.
  const kept = isKept && (await probe.create({ name: untidy }));
  if (kept) {
    const path = { id: idOf(kept) };
    const read = await probe.send("getWebhook", { path });
    const { name } = asObject(read.json);
    const said = (value: Json | undefined) => `name: ${JSON.stringify(value)}`;
    if (read.status === 200) probe.check(read, "created-as-asked", name === untidy, said(untidy), said(name));
    await probe.succeed("deleteWebhook", { path });
  }
  const headers = { "content-type": "application/json; charset=iso-8859-1" };
  const other = await probe.send("createWebhook", { body: newWebhook(probe.target), headers });
  probe.status(other, "media-type-415", 415);
}
