/** The headers of a notification. A test that sends one names only those that it is about. */
import { type HeaderValues, headersOf } from "../../server/delivery/send/headers.ts";

type Signed = Pick<HeaderValues, "id" | "timestamp" | "signature">;

export const sentHeaders = (values: Signed & Partial<HeaderValues>) => headersOf({ sequence: "1", ...values });
