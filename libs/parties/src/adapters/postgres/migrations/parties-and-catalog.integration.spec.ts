import { createDatabaseBefore, type DatabaseBefore } from '@counterfoil/test-harness';
import type { QueryRunner } from 'typeorm';
import { PartiesAndCatalog1795348800000 } from './1795348800000-parties-and-catalog';

describe('the migration of existing parties', () => {
  let database: DatabaseBefore;
  let runner: QueryRunner;
  const migration = new PartiesAndCatalog1795348800000();

  beforeAll(async () => {
    database = await createDatabaseBefore(PartiesAndCatalog1795348800000);
    runner = database.runner;
    await runner.query(
      "insert into companies (name, created_at) values ('One', now()), ('Two', now()), ('None', now())",
    );
    await runner.query(
      `insert into entities (visible_id, company_id, is_client, is_vendor, name, tax_id, type, created_at, updated_at)
       select gen_random_uuid(), c.id, n % 2 = 0, n % 3 = 0, c.name || ' ' || n, 'A' || n,
              (array['COMPANY', 'PATOOR'])[1 + n % 2], now(), now()
         from companies c, generate_series(1, 12) n where c.name <> 'None'`,
    );
    await migration.up(runner);
  });
  afterAll(() => database.drop());

  const counts = (): Promise<unknown> =>
    runner.query(
      `select c.name, n.change_number::int as change, n.counts
         from companies c join entity_counts n on n.company_id = c.id order by c.id`,
    );

  it('counts them by company, role and type, all without contacts', async () => {
    const cells = {
      'client:COMPANY:false': 6,
      'vendor:COMPANY:false': 2,
      'vendor:PATOOR:false': 2,
    };
    expect(await counts()).toEqual([
      { name: 'One', change: 1, counts: cells },
      { name: 'Two', change: 1, counts: cells },
    ]);
  });

  it('fills the columns for search and sort, and the defaults of the new fields', async () => {
    const [row] = (await runner.query(
      `select name_key, tax_id_key, email_key, round_document_total, has_contacts, address_id
         from entities where name = 'One 3'`,
    )) as unknown[];
    expect(row).toEqual({
      name_key: 'one 3',
      tax_id_key: 'a3',
      email_key: null,
      round_document_total: 'use_default',
      has_contacts: false,
      address_id: null,
    });
  });

  it('counts later changes too', async () => {
    await runner.query("update entities set is_vendor = true where name = 'One 2'");
    const [one] = (await counts()) as { change: number; counts: Record<string, number> }[];
    expect(one).toMatchObject({
      change: 2,
      counts: { 'vendor:COMPANY:false': 3, 'client:COMPANY:false': 6 },
    });
  });
});
