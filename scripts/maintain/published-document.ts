/** Makes the contract's two documents from openapi/: the closed one that servers are held to, and the one that is published. */
import { readFile, writeFile } from "node:fs/promises";
import { withDefaultPeriods } from "../../server/period-texts.ts";
import { isObject, type Json, type JsonObject } from "../document/json.ts";
import { redocly } from "../document/redocly.ts";
import { withHeaderSchemas } from "./notification-headers.ts";
import { openAnswers } from "./open-answers.ts";

/** Bundles the contract. @param path where the closed document is written @returns the published one */
export async function publishedDocument(path: string): Promise<JsonObject> {
  await redocly("bundle", "v1", "--output", path);
  const text = withDefaultPeriods(await readFile(path, "utf8"));
  await writeFile(path, text);
  const closed: Json = JSON.parse(text);
  if (!isObject(closed)) throw new Error("The bundle is not an object.");
  return withHeaderSchemas(openAnswers(closed));
}
