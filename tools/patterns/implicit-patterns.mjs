// Finds the regular expressions that methods of strings compile: `text.match('a+')` means `text.match(/a+/)`. It needs
// types, since other classes have such methods too, and patterns may come from other files.
import path from 'node:path';
import ts from 'typescript';
import { constantsOf, foundAt, valueOf } from './collect-patterns.mjs';

/** The methods that compile a string, each with the flags of the pattern. */
const COMPILING = new Map([
  ['match', ''],
  ['matchAll', 'g'],
  ['search', ''],
]);
const MAY_COMPILE = /\b(?:match|matchAll|search)\b/;

/**
 * @param files { file, text } of sources, relative to the root
 * @returns each as { file, line, code, source, flags }; `source` is null if the pattern is built at run time
 */
export function implicitPatternsIn(root, files, tsconfig) {
  const names = files.filter(({ text }) => MAY_COMPILE.test(text)).map(({ file }) => file);
  const program = ts.createProgram(
    names.map((file) => path.join(root, file)),
    optionsOf(tsconfig),
  );
  const checker = program.getTypeChecker();
  return names.flatMap((name) => {
    const file = program.getSourceFile(path.join(root, name));
    const constants = constantsOf(file);
    return foundAt(file, (node) => implicitIn(node, checker, constants)).map((found) => ({
      ...found,
      file: name,
    }));
  });
}

function optionsOf(tsconfig) {
  const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile);
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, path.dirname(tsconfig)).options;
}

function implicitIn(node, checker, constants) {
  if (!ts.isCallExpression(node)) return undefined;
  const [pattern] = node.arguments;
  const called = methodOf(node.expression);
  if (!pattern || !COMPILING.has(called?.name)) return undefined;
  if (!isString(called.receiver, checker) || isRegExp(pattern, checker)) return undefined;
  const source = valueOf(pattern, constants);
  return typeof source === 'string'
    ? { source, flags: COMPILING.get(called.name) }
    : { source: null, flags: '' };
}

/** `text.match` and `text['match']` */
function methodOf(expression) {
  const receiver = expression.expression;
  if (ts.isPropertyAccessExpression(expression)) return { receiver, name: expression.name.text };
  if (ts.isElementAccessExpression(expression) && ts.isStringLiteralLike(expression.argumentExpression))
    return { receiver, name: expression.argumentExpression.text };
  return undefined;
}

/** Also true for a value of type `any`. */
const isString = (node, checker) =>
  checker.isTypeAssignableTo(
    checker.getNonNullableType(checker.getTypeAtLocation(node)),
    checker.getStringType(),
  );

const isRegExp = (node, checker) =>
  checker.getApparentType(checker.getTypeAtLocation(node)).symbol?.name === 'RegExp';
