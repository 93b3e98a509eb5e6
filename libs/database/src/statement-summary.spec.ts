import { summaryOf } from './statement-summary';

describe('the name of a statement in traces', () => {
  it.each([
    ['savepoint alone', 'savepoint'],
    ['INSERT INTO "documents"("id", "name") VALUES ($1, $2)', 'insert documents'],
    ['SELECT "e"."name" AS "e_name" FROM "entities" "e" WHERE "e"."id" = $1', 'select entities'],
    ['update products set name = $1', 'update products'],
    ['delete from outbox_events where sequence = $1', 'delete outbox_events'],
    [
      '\n with matching as materialized (select id from products p) select * from matching',
      'select products',
    ],
    ['select 1', 'select'],
    ['', ''],
  ])('of %j is %j', (sql, name) => {
    expect(summaryOf(sql)).toBe(name);
  });
});
