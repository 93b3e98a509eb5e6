import { readdirSync } from 'node:fs';
import path from 'node:path';
import { inOrder } from '@counterfoil/database';
import { MIGRATIONS } from './migrations';

const LIBS = path.resolve(__dirname, '../..');
const MIGRATION_FILE = /[\\/]migrations[\\/](\d{13})-([a-z0-9-]+)\.ts$/;

/** Example: `1795262400000-document-life-cycle.ts` contains the class `DocumentLifeCycle1795262400000`. */
function classNamesInFolders(): string[] {
  return readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const [, timestamp, name] = MIGRATION_FILE.exec(file) ?? [];
    if (name === undefined) return [];
    const words = name.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
    return [words.join('') + timestamp];
  });
}

describe('the migrations of the service', () => {
  it('contain each migration of all lib folders once', () => {
    const found = classNamesInFolders();
    expect(found.length).toBeGreaterThanOrEqual(20);
    expect(MIGRATIONS.map(({ name }) => name).sort()).toEqual(found.sort());
  });

  it('have an unambiguous order', () => {
    expect(inOrder(MIGRATIONS)).toHaveLength(MIGRATIONS.length);
  });

  it('are recorded by class name, by which a process detects a missing one', () => {
    for (const migration of MIGRATIONS) expect(new migration().name).toBe(migration.name);
  });
});
