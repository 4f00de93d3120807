/**
 * Mutants of a program, made mechanically from its source: conditions negated and fixed, operators and constants exchanged, statements,
 * fields and calls left out. Types, imports and texts of errors stay.
 */
import ts from "typescript";

/** A file with one place changed. */
export type SourceMutant = {
  /** The file, what was there, and what is there now. It holds when lines move. */
  id: string;
  file: string;
  text: string;
};

type Change = { node: ts.Node; by: string };

const operators = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
  [ts.SyntaxKind.SlashToken, "*"],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
]);

/** Methods whose result has the type of what they are called on. */
const skippable = new Set(["reverse", "sort", "slice", "filter", "toLowerCase", "toUpperCase", "trim", "concat"]);

/** All mutants of a file. */
export function sourceMutants(file: string, text: string): SourceMutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const seen = new Map<string, number>();
  return changesIn(source).map(({ node, by }) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const name = `${file}: ${oneLine(contextOf(node).getText(source))} | ${oneLine(text.slice(start, end))} -> ${by || "nothing"}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const id = count === 1 ? name : `${name} (${count})`;
    return { id, file, text: text.slice(0, start) + by + text.slice(end) };
  });
}

/** What is around a change, so that its name says where it is. */
function contextOf(node: ts.Node): ts.Node {
  let here = node;
  while (here.parent && !ts.isSourceFile(here.parent) && here.parent.getText().length < 60) here = here.parent;
  return here;
}

const oneLine = (text: string) => {
  const short = text.replaceAll(/\s+/g, " ");
  return short.length > 70 ? `${short.slice(0, 67)}...` : short;
};

function changesIn(source: ts.SourceFile): Change[] {
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (!ts.isSourceFile(node)) changes.push(...changesOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node, source);
  if (ts.isIfStatement(node)) return [...fixed(node.expression), { node, by: "" }];
  if (ts.isConditionalExpression(node)) return fixed(node.condition);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [{ node, by: node.operand.getText(source) }];
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [{ node, by: ";" }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ node, by: "false" }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ node, by: "true" }];
  if (ts.isNumericLiteral(node))
    return [
      { node, by: `${Number(node.text) + 1}` },
      { node, by: `${Number(node.text) - 1}` },
    ];
  if (ts.isStringLiteral(node) && !isOfError(node)) return isName(node) ? [] : [{ node, by: '"other"' }];
  if (isMember(node)) return [{ node, by: "" }];
  if (ts.isBindingElement(node) && node.initializer) return [{ node, by: node.getText(source).replace(/ = .*/s, "") }];
  if (ts.isParameter(node) && node.initializer) return [{ node, by: node.name.getText(source) }];
  return ts.isCallExpression(node) ? ofCall(node, source) : [];
}

function ofBinary({ left, right, operatorToken }: ts.BinaryExpression, source: ts.SourceFile): Change[] {
  const node = left.parent;
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [left, right].map((kept) => ({ node, by: kept.getText(source) }));
  const other = operators.get(operatorToken.kind);
  return other === undefined ? [] : [{ node: operatorToken, by: other }];
}

const fixed = (condition: ts.Expression): Change[] => [
  { node: condition, by: "true" },
  { node: condition, by: "false" },
  { node: condition, by: `!(${condition.getText()})` },
];

/** A field of an object that is made: without it, a field of an answer or of a state is missing. */
function isMember(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node.parent)) return false;
  return ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isSpreadAssignment(node);
}

function ofCall(node: ts.CallExpression, source: ts.SourceFile): Change[] {
  const callee = node.expression;
  const text = node.getText(source);
  if (text === "Date.now()")
    return [
      { node, by: "0" },
      { node, by: "Math.floor(Date.now() / 1000)" },
    ];
  if (text === "randomUUID()") return [{ node, by: '"00000000-0000-4000-8000-000000000001"' }];
  if (!ts.isPropertyAccessExpression(callee) || !skippable.has(callee.name.text)) return [];
  return [{ node, by: callee.expression.getText(source) }];
}

/** The names of properties, and what an array is indexed with. */
const isName = ({ parent }: ts.Node) => ts.isPropertyAssignment(parent) && ts.isStringLiteral(parent.name);

/** The sentence of an error is the server's own. */
function isOfError(node: ts.Node): boolean {
  return (
    ts.isNewExpression(node.parent) ||
    (ts.isCallExpression(node.parent) && /^(missing|badRequest)$/.test(node.parent.expression.getText()))
  );
}
