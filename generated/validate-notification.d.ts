// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.

/** Returns whether a value is a notification; if not, `errors` says why. */
declare const validate: {
  (value: unknown): boolean;
  errors?: { instancePath: string; message?: string; params: Record<string, unknown> }[] | null;
};
export default validate;
