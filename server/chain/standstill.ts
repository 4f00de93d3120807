/** A chain cannot be followed any further until its operator or its nodes do something. Nothing was changed. */
export class StandstillError extends Error {
  override readonly name = "StandstillError";
}
