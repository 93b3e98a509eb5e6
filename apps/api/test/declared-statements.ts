import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SqlStatement } from '@counterfoil/database';
import ts from 'typescript';

const ROOT = path.resolve(__dirname, '../../..');

export interface DeclaredStatement {
  /** File and line of the declaration. */
  readonly place: string;
  readonly statement: SqlStatement<object, object>;
  readonly parameters: ts.Type;
  readonly row: ts.Type;
}

export interface Declarations {
  readonly types: ts.TypeChecker;
  readonly statements: readonly DeclaredStatement[];
  /** Positions of statements that are not exported, so that they could not be checked. */
  readonly hidden: readonly string[];
}

/**
 * Finds the statements that the files export, directly or inside objects, with their TypeScript types.
 *
 * @param besides files that extend the types of others
 */
export function declaredIn(files: readonly string[], besides: readonly string[]): Declarations {
  const program = ts.createProgram({ rootNames: [...files, ...besides], options: compilerOptions() });
  const types = program.getTypeChecker();
  const sources = files.map((file) => {
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`TypeScript does not find ${file}`);
    return source;
  });
  return {
    types,
    statements: sources.flatMap((source) => exportedBy(source, types)),
    hidden: sources.flatMap(hiddenIn),
  };
}

function compilerOptions(): ts.CompilerOptions {
  const file = path.join(ROOT, 'tsconfig.base.json');
  const { config } = ts.parseConfigFileTextToJson(file, readFileSync(file, 'utf8')) as { config: object };
  return ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, ROOT).options;
}

function exportedBy(source: ts.SourceFile, types: ts.TypeChecker): DeclaredStatement[] {
  const symbol = types.getSymbolAtLocation(source);
  if (!symbol) return [];
  const loaded = jest.requireActual<Readonly<Record<string, unknown>>>(source.fileName);
  return types.getExportsOfModule(symbol).flatMap((exported) => {
    const declaration = exported.valueDeclaration;
    if (!declaration) return [];
    return statementsOf(loaded[exported.name], types.getTypeOfSymbol(exported), {
      types,
      place: placeOf(declaration),
    });
  });
}

function statementsOf(
  value: unknown,
  type: ts.Type,
  { types, place }: { readonly types: ts.TypeChecker; readonly place: string },
): DeclaredStatement[] {
  if (value instanceof SqlStatement) {
    const [parameters, row] = types.getTypeArguments(type as ts.TypeReference);
    if (!parameters || !row) throw new Error(`${place}: TypeScript sees no statement`);
    return [{ place, statement: value, parameters, row }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return types.getPropertiesOfType(type).flatMap((property) =>
    statementsOf(
      (value as Readonly<Record<string, unknown>>)[property.name],
      types.getTypeOfSymbol(property),
      {
        types,
        place: property.valueDeclaration ? placeOf(property.valueDeclaration) : place,
      },
    ),
  );
}

/** Returns top-level statements of a file that are not exported. */
function hiddenIn(source: ts.SourceFile): string[] {
  return source.statements
    .filter((node) => ts.isVariableStatement(node))
    .filter(({ modifiers }) => !modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ declarationList }) => declarationList.declarations)
    .filter(({ initializer }) => initializer && makesStatement(initializer))
    .map(placeOf);
}

/** False inside functions, whose results belong to their callers. */
function makesStatement(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false;
  if (ts.isCallExpression(node) && node.expression.getText() === 'statement') return true;
  return ts.forEachChild(node, (child) => makesStatement(child) || undefined) ?? false;
}

function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${path.relative(ROOT, source.fileName)}:${line + 1}`;
}
