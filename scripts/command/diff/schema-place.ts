/** What the comparisons of keywords share with that of whole schemas, which they get as a value: schemas hold schemas. */
import type { Json } from "../../document/json.ts";
import type { DocumentComparison } from "./comparison.ts";
import type { Flow } from "./finding.ts";

/** How one schema is compared; `omittable` says that the value may be left out, so that a default has a meaning. */
export type SchemaPlace = { flow: Flow; where: string; omittable?: boolean };

/** The schemas as they are in the documents, for the line of a finding. */
export type Spotted = { where: string; before?: Json | undefined; after?: Json | undefined };

/** Compares two schemas; an absent one allows anything. */
export type CompareSchemas = (
  c: DocumentComparison,
  place: SchemaPlace,
  before: Json | undefined,
  after: Json | undefined,
) => void;
