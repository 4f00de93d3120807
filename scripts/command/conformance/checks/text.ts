/** Text beyond ASCII comes back as it was sent, and a body in another charset than UTF-8 is refused. */
import { asObject } from "../../../document/json.ts";
import { idOf, newWebhook, type Probe } from "../probe.ts";

// Of two, three and four bytes in UTF-8, with letters that Latin-1 has and others that it has not.
const text = "Zürich → 東京 🦊";

/** Creates a webhook with such a name, and reads it back. */
export async function checkText(probe: Probe): Promise<void> {
  const created = await probe.send("createWebhook", { body: newWebhook(probe.target, { name: text }) });
  if (created.status < 300) {
    const record = asObject(created.json);
    probe.check(created, "charset-utf-8", record.name === text, `name: ${text}`, `name: ${record.name}`);
    await probe.succeed("deleteWebhook", { path: { id: idOf(record) } });
  }
  const headers = { "content-type": "application/json; charset=iso-8859-1" };
  const other = await probe.send("createWebhook", { body: newWebhook(probe.target), headers });
  probe.status(other, "media-type-415", 415);
}
