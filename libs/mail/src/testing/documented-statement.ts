import fs from 'node:fs';
import path from 'node:path';

const PAGE = path.resolve(__dirname, '../../../../docs/operations.md');

/** The statement on a table that the page for operators gives them for the time after a restore. */
export function documentedStatement(table: 'document_mails' | 'reminder_progress'): string {
  const found = fs
    .readFileSync(PAGE, 'utf8')
    .split('`')
    .filter((text) => text.startsWith(`update ${table} set `));
  if (found.length !== 1) throw new Error(`${found.length} statements on ${table} in ${PAGE}`);
  return found[0]!;
}
