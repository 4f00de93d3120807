/** Reads single variables of the environment. A wrong value is refused in a sentence that names the variable. */

/** A wrong configuration. The message is a sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws ConfigError unless the variable is a whole number of this range, or not set */
export function wholeNumber(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (!text) return fallback;
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`);
  return value;
}

/** @throws ConfigError */
export function flag(env: Environment, name: string): boolean {
  const text = env[name] ?? "";
  if (["", "0", "false", "no"].includes(text)) return false;
  if (["1", "true", "yes"].includes(text)) return true;
  throw new ConfigError(`${name} must be true or false, not ${JSON.stringify(text)}.`);
}

/** @throws ConfigError */
export function oneOf<T extends string>(env: Environment, name: string, values: readonly T[], fallback: T): T {
  const text = env[name];
  if (!text) return fallback;
  const value = values.find((known) => known === text);
  if (!value) throw new ConfigError(`${name} must be one of ${values.join(", ")}, not ${JSON.stringify(text)}.`);
  return value;
}
