import ts from 'typescript';

/** A database object used by SQL, and the kind of use. */
export interface SqlUse {
  readonly how: 'reads' | 'writes' | 'calls';
  readonly name: string;
}

export interface SchemaNames {
  readonly tables: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

const LINE_COMMENT = /--.*$/gm;
const WRITTEN = /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(\w+)/gi;
/** Excludes `for update of d` and `do update set`. An update has a table, an optional alias and `set`. */
const UPDATED = /\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi;
/** One table or several separated by commas, each with an optional alias. */
const READ = /\b(?:from|join|using)\s+(?:only\s+)?(\w+(?:(?:\s+(?:as\s+)?\w+)?\s*,\s*\w+)*)/gi;
const CALLED = /\b(\w+)\s*\(/g;

/**
 * Returns the uses of tables and functions in a statement. Other names, such as those of a `with`, are
 * ignored.
 */
export function usesIn(sql: string, { tables, functions }: SchemaNames): SqlUse[] {
  const text = sql.replace(LINE_COMMENT, '');
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const read = named(READ).flatMap((list) => list.split(',').map((part) => part.trim().split(/\s/)[0] ?? ''));
  const of = (how: SqlUse['how'], names: readonly string[], known: ReadonlySet<string>): SqlUse[] =>
    names.filter((name) => known.has(name)).map((name) => ({ how, name }));
  return [
    ...of('writes', [...named(WRITTEN), ...named(UPDATED)], tables),
    ...of('reads', read, tables),
    ...of('calls', named(CALLED), functions),
  ];
}

/** Returns the texts of a source. In templates, each expression is replaced with a space. */
function textsOf(source: ts.SourceFile): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' _ '));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/**
 * A text that consists only of a table and an optional alias, which is inserted into a statement elsewhere.
 */
const BARE = /^(\w+)(?:\s+(?:as\s+)?\w{1,2})?$/;
/** A table that TypeORM maps, so it may be written. */
const MAPPED = /\btableName:\s*'(\w+)'/g;

/**
 * Returns the uses in all SQL of a source file.
 *
 * @param isAdapter true if a text with only the name of a table is SQL, and not a path or a message
 */
export function usesInSource(code: string, names: SchemaNames, isAdapter: boolean): SqlUse[] {
  const source = ts.createSourceFile('source.ts', code, ts.ScriptTarget.Latest);
  return [
    ...textsOf(source).flatMap((text) => {
      const table = BARE.exec(text)?.[1];
      if (table === undefined) return usesIn(text, names);
      return isAdapter && names.tables.has(table) ? [{ how: 'reads' as const, name: table }] : [];
    }),
    ...[...code.matchAll(MAPPED)].map(([, name = '']) => ({ how: 'writes' as const, name })),
  ];
}
