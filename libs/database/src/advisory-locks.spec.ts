import { ADVISORY_LOCKS, advisoryLock } from './advisory-locks';

describe('advisory locks', () => {
  it('have unique keys', () => {
    const keys = Object.values(ADVISORY_LOCKS).filter((key) => key !== null);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('appear with their key in the SQL', () => {
    expect([
      advisoryLock('pg_try_advisory_lock', 'migration'),
      advisoryLock('pg_advisory_lock_shared', 'presence', '$1'),
      advisoryLock('pg_advisory_xact_lock', 'supplier invoices', '$1'),
      advisoryLock('pg_try_advisory_xact_lock_shared', 'idempotent call', '$1, $2'),
    ]).toEqual([
      'pg_try_advisory_lock(7305112)',
      'pg_advisory_lock_shared(1795482000, $1)',
      `pg_advisory_xact_lock(hashtextextended('supplier invoices', $1))`,
      'pg_try_advisory_xact_lock_shared($1, $2)',
    ]);
  });
});
