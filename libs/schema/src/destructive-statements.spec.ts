import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findUnexplained } from './testing/destructive-statements';

const LIBS = path.resolve(__dirname, '../..');
const MIGRATIONS = readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /[\\/]migrations[\\/]\d{13}-[a-z0-9-]+\.ts$/.test(file) && !file.includes('node_modules'),
);

describe('a destructive statement', () => {
  it.each(MIGRATIONS)('of %s is explained', (file) => {
    expect(findUnexplained(readFileSync(path.join(LIBS, file), 'utf8'))).toEqual([]);
  });

  it('could be in many migrations', () => {
    expect(MIGRATIONS.length).toBeGreaterThan(25);
  });

  it.each([
    'drop table charges',
    'alter table charges drop column amount',
    'alter table charges\n  drop column amount',
    'DROP FUNCTION counted(bigint)',
    'drop trigger immutable on charges',
    'alter table charges rename to payments',
    'alter table charges rename column amount to total',
    'alter table charges alter column amount set not null',
    'alter table charges alter amount type bigint',
    'alter table charges alter column amount set data type bigint',
    'alter table charges alter column state drop default',
    'alter table charges add column payer text not null',
    'alter table charges add payer text not null, add note text default null',
    'truncate charges',
  ])('is found: %s', (statement) => {
    const source = `export class A {\n  up = () => [\n    \`${statement}\`,\n  ];\n}`;
    expect(findUnexplained(source)).toHaveLength(1);
    expect(findUnexplained(source)[0]!.line).toBeGreaterThanOrEqual(3);
    const marked = source.replace('    `', '    // destructive: nothing has used it since 1.4\n    `');
    expect(findUnexplained(marked)).toEqual([]);
  });

  it.each([
    'dropColumn("charges", "amount")',
    'renameTable("charges", "payments")',
    'changeColumn("a", "b", c)',
  ])('is found as a call of TypeORM: %s', (call) => {
    expect(findUnexplained(`await runner.${call};`)).toHaveLength(1);
  });

  it('needs a reason', () => {
    expect(findUnexplained('// destructive:\n`drop table charges`')).toHaveLength(1);
  });

  it.each([
    'create table charges (id bigint not null, amount numeric not null)',
    'alter table charges add column payer text',
    "alter table charges add column state text not null default 'PENDING'",
    'alter table charges add column state text default 0 not null',
    'alter table charges add constraint positive check (amount is not null)',
    'alter table charges drop constraint positive',
    'alter table charges alter column amount drop not null',
    'drop index charges_state',
    'create trigger a before update or delete or truncate on charges for each row execute function b()',
    '-- drop table charges',
  ])('is not one after which the previous release still works: %s', (statement) => {
    expect(findUnexplained(`await runner.query(\`${statement}\`);`)).toEqual([]);
  });
});
