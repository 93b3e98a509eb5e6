/**
 * All advisory locks of the service, in TypeScript and in the SQL functions of migrations. The value is the
 * key: a number is a key by itself or the first of a pair, a text is hashed together with an id, and `null`
 * means that the caller hashes.
 *
 * A transaction must take locks in ascending `order`, and locks of the same order by ascending id, or two
 * transactions can deadlock. A lock without an order must be taken while none of the others is held.
 *
 * | lock              | subject           | order | protects                                                              |
 * | ----------------- | ----------------- | ----- | --------------------------------------------------------------------- |
 * | idempotent call   | path and body     | 1     | nothing: shared, never waited for; `pg_locks` shows the running call  |
 * | idempotency key   | company and key   | 2     | one call for each key; never waited for                               |
 * | documents         | company           | 3     | the numbers of documents and of their changes; the closing of books   |
 * | supplier invoices | company           | 4     | their numbers, and `supplier_invoice_counts`; triggers take it too    |
 * | exchange rates    | 0, then company   | 5     | rates: exclusive to save them, shared to write amounts that use them  |
 * | costs             | company           | 6     | `cost_counts`; triggers of `expenses` take it                         |
 * | entities          | company           | 6     | `entity_counts`; triggers of `entities` take it                       |
 * | audit log         |                   |       | the ends of all chains, while staged entries are appended to the log   |
 * | document shares   | document          | 7     | the number of open links of a document                                |
 * | mails             | company           | 8     | the number of mails of the last 24 hours, if it is limited            |
 * | pricelist         | vendor            |       | one pricelist against another of the same vendor                      |
 * | webhook lane      | endpoint          |       | the slots of an endpoint, while deliveries are claimed for it         |
 * | epoch             |                   |       | one renewal of the epoch                                              |
 * | presence          | process           |       | nothing: its connections hold it and show that the process lives      |
 * | migration         |                   |       | one migrating process; polled, see `migrateDatabase`                  |
 * | grant             |                   |       | one granting process                                                  |
 * | test template     |                   |       | one test process that creates the template database                   |
 *
 * Row locks: take `exchange rates` before locking rows of `expenses`, or this deadlocks with
 * `RevalueExpenses`. Lock rows of `expenses`, `supplier_invoices` and `entities` before `costs`, `supplier
 * invoices` and `entities`, because their triggers take these. Inserts are exempt: no other transaction waits
 * for a new row.
 */
export const ADVISORY_LOCKS = {
  'idempotent call': null,
  'idempotency key': null,
  documents: 'documents',
  'document shares': 'document shares',
  mails: 'mails',
  'supplier invoices': 'supplier invoices',
  'exchange rates': 'exchange rates',
  costs: 'costs',
  entities: 'entities',
  'audit log': 7_305_115,
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
 * Builds the SQL call that takes a lock.
 *
 * @param of SQL of the subject of the lock, see the table above: `$1`, `hashtext($1)`, `$1, $2`
 */
export function advisoryLock(take: LockFunction, lock: keyof typeof ADVISORY_LOCKS, of?: string): string {
  const key = ADVISORY_LOCKS[lock];
  if (typeof key === 'string') return `${take}(hashtextextended('${key}', ${of}))`;
  return `${take}(${[key ?? [], of ?? []].flat().join(', ')})`;
}
