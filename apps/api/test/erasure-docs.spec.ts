import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CompanyTable } from '@counterfoil/company-data';
import { COMPANY_TABLES } from '@counterfoil/schema';

const PAGE = path.resolve(__dirname, '../../../docs/operations.md');

const listed = (columns: object): string =>
  Object.keys(columns)
    .map((column) => `\`${column}\``)
    .join(', ');

/** The effect of an erasure on a table, in words. */
function effectOf({ erasure: { removes, removedWith, sets, setsUnused, waitsFor } }: CompanyTable): string {
  const changes = sets ? [`changed: ${listed(sets)}`] : [];
  const unused = setsUnused ? [`changed where nothing refers to the row: ${listed(setsUnused)}`] : [];
  const kept = removes || removedWith ? 'removed' : sets || setsUnused ? 'kept' : 'kept as it is';
  const awaited = waitsFor ? [`waited for: ${waitsFor.what}`] : [];
  return [kept, ...changes, ...unused, ...awaited].join('; ');
}

const rowOf = (table: CompanyTable): string =>
  `| \`${table.table}\` | ${effectOf(table)} | ${table.erasure.why} |`;

describe('the table of what an erasure keeps', () => {
  it('has a row for each table, with its effect and its reason', () => {
    const lines = readFileSync(PAGE, 'utf8')
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' '));
    expect(COMPANY_TABLES.map(rowOf).filter((row) => !lines.includes(row))).toEqual([]);
  });
});
