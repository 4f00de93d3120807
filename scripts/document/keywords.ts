/** The type of values that a keyword of JSON Schema says something of. Values of other types pass it. */
const keywordsByType = {
  string: ["maxLength", "minLength", "pattern", "contentEncoding", "contentMediaType", "contentSchema"],
  array: [
    ...["maxItems", "minItems", "uniqueItems", "contains", "minContains", "maxContains"],
    ...["items", "prefixItems", "additionalItems", "unevaluatedItems"],
  ],
  object: [
    ...["maxProperties", "minProperties", "properties", "required", "additionalProperties", "patternProperties"],
    ...["propertyNames", "unevaluatedProperties", "dependentRequired", "dependentSchemas"],
  ],
  integer: ["multipleOf", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"],
};

const types: ReadonlyMap<string, string> = new Map(
  Object.entries(keywordsByType).flatMap(([type, keywords]) => keywords.map((keyword) => [keyword, type])),
);

/** @returns `string`, `array`, `object`, or `integer` for numbers of any kind; undefined for a keyword of all values, or an unknown one */
export const typeOfKeyword = (keyword: string): string | undefined => types.get(keyword);
