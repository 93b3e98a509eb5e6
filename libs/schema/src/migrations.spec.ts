import { readdirSync } from 'node:fs';
import path from 'node:path';
import { inOrder } from '@counterfoil/database';
import { MIGRATIONS } from './migrations';

const LIBS = path.resolve(__dirname, '../..');
const MIGRATION_FILE = /[\\/]migrations[\\/](\d{13})-([a-z0-9-]+)\.ts$/;

/** `1795262400000-document-life-cycle.ts` holds the class `DocumentLifeCycle1795262400000`. */
function classNamesInFolders(): string[] {
  return readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const [, timestamp, name] = MIGRATION_FILE.exec(file) ?? [];
    if (name === undefined) return [];
    const words = name.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
    return [words.join('') + timestamp];
  });
}

describe('the migrations of the service', () => {
  it('are those in the folders of all libs, each once', () => {
    const found = classNamesInFolders();
    expect(found.length).toBeGreaterThanOrEqual(20);
    expect(MIGRATIONS.map(({ name }) => name).sort()).toEqual(found.sort());
  });

  it('have one order', () => {
    expect(inOrder(MIGRATIONS)).toHaveLength(MIGRATIONS.length);
  });

  it('are recorded by the names of their classes, by which a process finds out that one is missing', () => {
    for (const migration of MIGRATIONS) expect(new migration().name).toBe(migration.name);
  });
});
