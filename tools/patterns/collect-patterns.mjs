// Finds the regular expressions in a TypeScript source: literals, and `new RegExp` of constants of the same file.
import ts from 'typescript';

/** @returns each as { line, source, flags }; `source` is null if the pattern is built at run time */
export function patternsIn(fileName, text) {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(file);
  return foundAt(file, (node) => patternOf(node, constants));
}

/** Returns what `patternAt` finds at the nodes of a file, with line and code. */
export function foundAt(file, patternAt) {
  const found = [];
  const visit = (node) => {
    const pattern = patternAt(node);
    if (pattern) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({ ...pattern, line: line + 1, code: node.getText(file) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the initializers of the top-level `const`s of a file, by name. */
export function constantsOf(file) {
  const constants = new Map();
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);
  }
  return constants;
}

function patternOf(node, constants) {
  if (ts.isRegularExpressionLiteral(node)) return literal(node.text);
  const isConstructed =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
  if (!isConstructed) return undefined;
  const [source, flags] = node.arguments ?? [];
  const base = source && valueOf(source, constants);
  const given = flags ? valueOf(flags, constants) : base?.flags;
  if (base === undefined || (flags && typeof given !== 'string')) return { source: null, flags: '' };
  return { source: base.source ?? String(base), flags: given ?? '' };
}

function literal(text) {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/**
 * Returns the value of a constant expression: a text, a number, { source, flags } of a regular expression, or
 * undefined.
 */
export function valueOf(node, constants) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return valueOf(node.expression, constants);
  if (ts.isRegularExpressionLiteral(node) || ts.isNewExpression(node)) return patternOf(node, constants);
  if (ts.isIdentifier(node)) {
    const initializer = constants.get(node.text);
    return initializer && valueOf(initializer, constants);
  }
  if (ts.isTemplateExpression(node)) return templated(node, constants, (part) => part.text);
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw')
    return ts.isTemplateExpression(node.template)
      ? templated(node.template, constants, (part) => part.rawText)
      : node.template.rawText;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return sumOf(valueOf(node.left, constants), valueOf(node.right, constants));
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source')
    return valueOf(node.expression, constants)?.source;
  return joinOf(node, constants);
}

function templated(node, constants, textOf) {
  const parts = node.templateSpans.flatMap(({ expression, literal: after }) => [
    valueOf(expression, constants),
    textOf(after),
  ]);
  return joined([textOf(node.head), ...parts], '');
}

/** `[…].join('|')` */
function joinOf(node, constants) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: list, name } = node.expression;
  if (name.text !== 'join' || !ts.isArrayLiteralExpression(list)) return undefined;
  const [separator] = node.arguments;
  const between = separator === undefined ? ',' : valueOf(separator, constants);
  if (typeof between !== 'string') return undefined;
  return joined(
    list.elements.map((element) => valueOf(element, constants)),
    between,
  );
}

function sumOf(left, right) {
  const areNumbers = typeof left === 'number' && typeof right === 'number';
  return areNumbers ? left + right : joined([left, right], '');
}

function joined(parts, between) {
  return parts.every((part) => ['string', 'number'].includes(typeof part)) ? parts.join(between) : undefined;
}
