/**
 * Every advisory lock of the service, in TypeScript and in the SQL functions of migrations. A number is a key of its own,
 * or the first of a pair; a text is hashed with an id. `null` is a key that the caller hashes.
 *
 * Locks of a transaction are taken in the order of their numbers, upwards, or two transactions can deadlock. Those of
 * one number are taken by their ids, upwards. A lock without a number is taken while none of the others is held.
 *
 * | lock              | of                | order | protects                                                              |
 * | ----------------- | ----------------- | ----- | --------------------------------------------------------------------- |
 * | idempotent call   | path and body     | 1     | nothing: shared and never waited for, `pg_locks` shows who runs it    |
 * | idempotency key   | company and key   | 2     | one document for each key; never waited for                           |
 * | documents         | company           | 3     | the numbers of documents and of their changes; the closing of books   |
 * | supplier invoices | company           | 4     | their numbers, and `supplier_invoice_counts`: taken by triggers too   |
 * | exchange rates    | 0, then company   | 5     | rates, alone to save them; shared by who writes amounts by them       |
 * | costs             | company           | 6     | `cost_counts`; taken by triggers of `expenses`                        |
 * | entities          | company           | 6     | `entity_counts`; taken by triggers of `entities`                      |
 * | pricelist         | vendor            |       | one pricelist against another of the same vendor                      |
 * | webhook lane      | endpoint          |       | the places of an endpoint, while deliveries are claimed for it        |
 * | epoch             |                   |       | one renewal of the epoch                                              |
 * | presence          | process           |       | nothing: held by the connection, tells other processes that it lives  |
 * | migration         |                   |       | one process that migrates; polled for, see `migrateDatabase`          |
 * | grant             |                   |       | one process that grants                                               |
 * | test template     |                   |       | one test process that makes the template database                     |
 *
 * Rows: take `exchange rates` before locking rows of `expenses`, or this deadlocks with `RevalueExpenses`. Rows of
 * `expenses`, `supplier_invoices` and `entities` come before `costs`, `supplier invoices` and `entities`, which their
 * triggers take; an insert has no row that another waits for.
 */
export const ADVISORY_LOCKS = {
  'idempotent call': null,
  'idempotency key': null,
  documents: 'documents',
  'supplier invoices': 'supplier invoices',
  'exchange rates': 'exchange rates',
  costs: 'costs',
  entities: 'entities',
  pricelist: 'pricelist',
  'webhook lane': 1_795_305_600,
  epoch: 7_305_114,
  presence: 1_795_482_000,
  migration: 7_305_112,
  grant: 7_305_113,
  'test template': 4_002_001,
} as const;

type Wait = '' | 'try_';
type Scope = '' | 'xact_';
type Mode = '' | '_shared';
type LockFunction = `pg_${Wait}advisory_${Scope}lock${Mode}`;

/**
 * The SQL of a call that takes a lock.
 *
 * @param of SQL of that which the lock is of, by the table above: `$1`, `hashtext($1)`, `$1, $2`
 */
export function advisoryLock(take: LockFunction, lock: keyof typeof ADVISORY_LOCKS, of?: string): string {
  const key = ADVISORY_LOCKS[lock];
  if (typeof key === 'string') return `${take}(hashtextextended('${key}', ${of}))`;
  return `${take}(${[key ?? [], of ?? []].flat().join(', ')})`;
}
