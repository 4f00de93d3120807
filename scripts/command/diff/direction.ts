/** Who sends and who reads each kind of message, and so whom a change of what is allowed breaks. */
import type { DiffVerdict, Flow, Party } from "./finding.ts";

/** Whether fewer (`narrower`) or more (`wider`) values are allowed than before. */
export type Move = "narrower" | "wider";

const senders: Record<Flow, Party> = {
  requests: "clients",
  responses: "servers",
  notifications: "servers",
  acknowledgements: "receivers",
};
const readers: Record<Flow, Party> = {
  requests: "servers",
  responses: "clients",
  notifications: "receivers",
  acknowledgements: "servers",
};

const reasons: Record<`${Move} ${Flow}`, string> = {
  "narrower requests": "Clients that send what was allowed so far are refused.",
  "wider requests": "Servers that implement the old document refuse what is allowed now.",
  "narrower responses": "Servers that implement the old document still send what is no longer allowed.",
  "wider responses": "Clients get what the old document ruled out.",
  "narrower notifications": "Servers that implement the old document still send what is no longer allowed.",
  "wider notifications": "Receivers get what the old document ruled out.",
  "narrower acknowledgements": "Receivers that answer as they do today are no longer understood.",
  "wider acknowledgements": "Servers that implement the old document do not understand what receivers may answer now.",
};

/** Whether the service is the one who reads it. */
export const isAccepted = (flow: Flow): boolean => readers[flow] === "servers";

/** Who reads messages of this kind. */
export const readerOf = (flow: Flow): Party => readers[flow];

/** Who sends messages of this kind. */
export const sentBy = (flow: Flow): Party => senders[flow];

/** Accepting less breaks who sends; sending more breaks who reads. */
export function verdictOf(move: Move, flow: Flow, implementers: boolean): DiffVerdict {
  const party = move === "narrower" ? senders[flow] : readers[flow];
  const level = party === "servers" && !implementers ? "info" : "breaking";
  return { level, breaks: [party], why: reasons[`${move} ${flow}`] };
}
