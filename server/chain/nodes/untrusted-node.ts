/** A node answers, and what it says is not believed: it lags, is of another chain, or is alone with its opinion. */
import { NodeError } from "./node.ts";

/** Such a node is not asked for its opinion on others either, for as long as it is set aside. */
export class NotBelievedError extends NodeError {}
