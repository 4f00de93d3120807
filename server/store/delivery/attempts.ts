/** An attempt as the API shows it, read from its row. */
import type { components } from "../../../generated/types.ts";

export type Attempt = components["schemas"]["Attempt"];

/** The columns that `toAttempt` reads, with `a` for the table `attempts`. */
export const attemptColumns =
  "a.number, a.trigger, a.sent_at, a.duration_ms, a.response_status, a.response_body, a.error_class";

/** The recorded result of an exchange. */
export type ExchangeRow = {
  sent_at: Date;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  error_class: NonNullable<Attempt["errorClass"]> | null;
};

export type AttemptRow = ExchangeRow & { number: number; trigger: Attempt["trigger"] };

export function toAttempt(row: AttemptRow): Attempt {
  return { number: row.number, trigger: row.trigger, ...toExchange(row) };
}

/** The fields that an attempt and a test share. */
export function toExchange(row: ExchangeRow): Omit<Attempt, "number" | "trigger"> {
  return {
    sentAt: row.sent_at.getTime(),
    durationMs: row.duration_ms,
    ...(row.response_status !== null && { responseStatus: row.response_status }),
    ...(row.response_body !== null && { responseBody: row.response_body }),
    ...(row.error_class !== null && { errorClass: row.error_class }),
  };
}
