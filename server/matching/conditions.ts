/** The conditions of a webhook, ready to be evaluated. Each block asks for those of its webhooks again, so compiled ones are kept. */
import type { CompiledAbi } from "./abi.ts";
import { type Condition, ConditionError, compileTree, conditionLimits, type FilterNode } from "./conditions/tree.ts";

export { type Condition, ConditionError, conditionLimits };

export type CompiledConditions = {
  tree: FilterNode;
  /** Whether they are of the transaction alone, and hold for no log or transfer in particular. */
  ofTransaction: boolean;
};

const kept = new Map<string, CompiledConditions>();
/** A thousand of the largest, or 40,000 common ones: 80 MB at most. The oldest go first. */
const mostCharacters = 8_000_000;
let characters = 0;

/** An ABI that is compiled again gets another number. */
const abiNumbers = new WeakMap<CompiledAbi, number>();
let lastNumber = 0;

/**
 * @param abi the events whose arguments the conditions may name
 * @throws ConditionError for the first fault
 */
export function compileConditions(conditions: Condition, abi?: CompiledAbi): CompiledConditions {
  const text = JSON.stringify(conditions);
  const key = `${abi ? numberOf(abi) : ""} ${text}`;
  const known = kept.get(key);
  if (known) return known;
  if (text.length > conditionLimits.characters)
    throw new ConditionError("", `must be at most ${conditionLimits.characters} characters long as JSON`);
  const tree = compileTree(conditions, abi);
  const made = { tree, ofTransaction: isOfTransaction(tree) };
  characters += key.length;
  for (const oldest of kept.keys()) {
    if (characters <= mostCharacters) break;
    kept.delete(oldest);
    characters -= oldest.length;
  }
  kept.set(key, made);
  return made;
}

function numberOf(abi: CompiledAbi): number {
  const number = abiNumbers.get(abi) ?? ++lastNumber;
  abiNumbers.set(abi, number);
  return number;
}

const isOfTransaction = (node: FilterNode): boolean =>
  node.kind === "comparison" ? node.read.of === "transaction" : node.of.every(isOfTransaction);
