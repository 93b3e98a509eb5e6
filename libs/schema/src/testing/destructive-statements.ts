/**
 * Statements after which processes of the previous release fail, or lose what they write. New indexes, constraints that
 * are dropped, columns that may be null and new tables do not disturb them.
 */
const DESTRUCTIVE: readonly RegExp[] = [
  /\bdrop\s+(?:table|column|view|materialized\s+view|function|procedure|trigger|type|domain|sequence|schema)\b/gi,
  /\brename\b/gi,
  /\bset\s+schema\b/gi,
  /(?<!\bor )truncate\b/gi,
  /\balter\s+(?:column\s+)?"?\w+"?\s+(?:set\s+not\s+null|set\s+data\s+type|type|drop\s+default)\b/gi,
  /\b(?:drop|rename|change)(?:Table|Columns?|View|Schema)\s*\(/g,
];

/** A column that is added, up to the next column or the end of the statement. */
const ADDED_COLUMN =
  /\badd\s+(?:column\s+)?(?!constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b|column\b)\w+\s[^,;]*/gi;

/** The previous release does not set the column. */
const isRequired = (column: string): boolean =>
  /\bnot\s+null\b/i.test(column) && !/\b(?:default|generated)\b/i.test(column);

/** The comment that allows the statements of the lines below it: `// destructive: <why no running release fails>`. */
const MARKER = /\/\/ destructive: \S/;
/** A marker covers the line on which it stands, and this many lines after it. */
const COVERED_LINES = 2;

export interface DestructiveStatement {
  /** From 1. */
  readonly line: number;
  readonly statement: string;
}

/** Returns the destructive statements of a migration's source text that no marker explains (docs/operations.md, upgrades). */
export function findUnexplained(source: string): DestructiveStatement[] {
  const lines = source.split('\n');
  const isExplained = (line: number) =>
    lines.slice(Math.max(0, line - 1 - COVERED_LINES), line).some((text) => MARKER.test(text));
  const code = withoutComments(source);
  const find = (pattern: RegExp) => [...code.matchAll(pattern)];
  const required = find(ADDED_COLUMN).filter(([column]) => isRequired(column));
  return [...DESTRUCTIVE.flatMap(find), ...required]
    .map(({ 0: statement, index }) => ({
      line: code.slice(0, index).split('\n').length,
      statement: statement.replace(/\s+/g, ' '),
    }))
    .filter(({ line }) => !isExplained(line))
    .sort((a, b) => a.line - b.line);
}

/** Blanks line comments, and keeps the positions of everything else. */
const withoutComments = (source: string): string =>
  source.replace(/\/\/.*|--.*/g, (comment) => ' '.repeat(comment.length));
