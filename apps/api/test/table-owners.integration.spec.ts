import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@counterfoil/test-harness';
import { MAY_ASK } from './context-order';
import { type SchemaNames, type SqlUse, usesIn, usesInSource } from './sql-uses';
import { EXCEPTIONS, OWNERS } from './table-owners';

const ROOT = path.resolve(__dirname, '../../..');
const isAdapter = (file: string): boolean => /[\\/]adapters[\\/]/.test(file);
const isPlatform = (lib: string): boolean => !(lib in MAY_ASK);

/** Excludes migrations, which refer to tables of several contexts. */
function sourcesOf(project: string): string[] {
  const folder = path.join(ROOT, project, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) => !/(^|[\\/])(migrations|testing)[\\/]/.test(file))
    .map((file) => path.join(folder, file));
}

function ownerOf(name: string): string {
  const owners = Object.entries(OWNERS).filter(([, { tables, functions = [] }]) =>
    [...tables, ...functions].includes(name),
  );
  return owners.map(([lib]) => lib).join(' and ');
}

/** True if the declaration of the lib or an exception allows the use. */
function allowed(lib: string, { how, name }: SqlUse): boolean {
  return ownerOf(name) === lib || (how !== 'writes' && (OWNERS[lib]?.reads ?? []).includes(name));
}

type ForeignUse = SqlUse & { readonly lib: string };

describe('tables', () => {
  let database: TestDatabase;
  let names: SchemaNames;
  let foreignUses: Map<string, ForeignUse>;
  let bodies: { name: string; body: string; is_volatile: boolean }[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const tables = await database.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    bodies = await database.query(
      `select proname as name, prosrc as body, provolatile = 'v' as is_volatile from pg_proc
        where pronamespace = 'public'::regnamespace`,
    );
    names = {
      tables: new Set(tables.map(({ name }) => name)),
      functions: new Set(bodies.map(({ name }) => name)),
    };
    foreignUses = findForeignUses();
  }, 60_000);
  afterAll(() => database.drop());

  /** Returns each use of a foreign name by a lib or by a function that it owns, once. */
  function findForeignUses(): Map<string, ForeignUse> {
    const anyName = new RegExp(`\\b(${[...names.tables, ...names.functions].join('|')})\\b`);
    const ofSources = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(path.join(ROOT, folder)).flatMap((lib) =>
        sourcesOf(path.join(folder, lib))
          .map((file) => ({ file, code: readFileSync(file, 'utf8') }))
          .filter(({ code }) => anyName.test(code))
          .flatMap(({ file, code }) => usesInSource(code, names, isAdapter(file)))
          .map((use) => ({ lib, ...use })),
      ),
    );
    const ofFunctions = bodies.flatMap(({ name, body }) =>
      usesIn(body, names).map((use) => ({ lib: ownerOf(name), ...use })),
    );
    return new Map(
      [...ofSources, ...ofFunctions]
        .filter(({ lib, name }) => ownerOf(name) !== lib)
        .map((use) => [`${use.lib} ${use.how} ${use.name}`, use]),
    );
  }

  it('and functions have one owner each', () => {
    const owned = Object.values(OWNERS);
    expect(owned.flatMap(({ tables }) => tables).sort()).toEqual([...names.tables].sort());
    expect(owned.flatMap(({ functions = [] }) => functions).sort()).toEqual([...names.functions].sort());
  });

  it('are written by their owner, and read by others as declared', () => {
    const refused = [...foreignUses].filter(([, use]) => !allowed(use.lib, use)).map(([said]) => said);
    expect(refused.sort()).toEqual(EXCEPTIONS.map(({ lib, use }) => `${lib} ${use}`).sort());
  });

  it('are declared as read only if they are read', () => {
    const used = new Set([...foreignUses.values()].map(({ lib, name }) => `${lib} ${name}`));
    const declared = Object.entries(OWNERS).flatMap(([lib, { reads = [] }]) =>
      reads.map((name) => `${lib} ${name}`),
    );
    expect(declared.filter((read) => !used.has(read))).toEqual([]);
  });

  it('are read from the platform, or from an allowed context', () => {
    for (const [lib, { reads = [] }] of Object.entries(OWNERS)) {
      for (const owner of reads.map(ownerOf).filter((owner) => !isPlatform(owner)))
        expect(MAY_ASK[lib]).toContain(owner);
    }
  });

  it('are read by functions that only read', () => {
    const volatile = new Set(bodies.filter(({ is_volatile }) => is_volatile).map(({ name }) => name));
    const read = Object.values(OWNERS).flatMap(({ reads = [] }) => reads);
    expect(read.filter((name) => volatile.has(name))).toEqual([]);
  });

  it('have triggers with functions of their owner', async () => {
    const triggers = await database.query<{ name: string; table: string; function: string }>(
      `select t.tgname as name, c.relname as table, p.proname as function
         from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
        where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    const foreign = triggers
      .filter((trigger) => ownerOf(trigger.table) !== ownerOf(trigger.function))
      // It records the changes of all contexts.
      .filter((trigger) => ownerOf(trigger.function) !== 'audit-log');
    expect(triggers.length).toBeGreaterThan(10);
    expect(foreign.map(({ name }) => name)).toEqual([]);
  });
});
