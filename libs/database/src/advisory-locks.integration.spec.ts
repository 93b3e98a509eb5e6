import { createTestDatabase, type TestDatabase } from '@counterfoil/test-harness';
import { ADVISORY_LOCKS } from './advisory-locks';

/** A number, a text to be hashed, or the name of a parameter. */
const FIRST_ARGUMENT = /advisory_\w*lock\w*\(\s*(?:(\d+)|hashtextextended\('([^']+)'|(\w+))?/g;
/** Parameters of `open_document_issuance`: the call and the key, which the caller hashes. */
const HASHED_BY_CALLER = ['call_high', 'key_lock'];

describe('the advisory locks in database functions', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('are declared in ADVISORY_LOCKS with the same keys', async () => {
    const functions = await database.query<{ name: string; body: string }>(
      `select oid::regprocedure::text as name, prosrc as body from pg_proc
        where pronamespace = 'public'::regnamespace and prosrc ~ 'advisory' order by 1`,
    );
    const known: readonly unknown[] = [...Object.values(ADVISORY_LOCKS), ...HASHED_BY_CALLER];
    const taken = functions.flatMap(({ name, body }) =>
      [...body.matchAll(FIRST_ARGUMENT)].map(([, number, text, parameter]) => ({
        name,
        key: number === undefined ? (text ?? parameter) : Number(number),
      })),
    );
    expect(new Set(taken.map(({ name }) => name)).size).toBe(functions.length);
    expect(taken.length).toBeGreaterThanOrEqual(7);
    expect(taken.filter(({ key }) => !known.includes(key))).toEqual([]);
  });
});
