// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.

/** Tells whether a value is a notification; when not, `errors` tells why. */
declare const validate: {
  (value: unknown): boolean;
  errors?: { instancePath: string; message?: string; params: Record<string, unknown> }[] | null;
};
export default validate;
