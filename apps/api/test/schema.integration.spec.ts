import { createTestDatabase, mappedTables, testConfig, type TestDatabase } from '@counterfoil/test-harness';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../src/create-app';

describe('the entity schemas', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await createApp(testConfig(database.url));
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('equal the migrated database, column by column', async () => {
    const mapped = mappedTables(app);
    expect(mapped.length).toBeGreaterThan(5);
    for (const { table, columns } of mapped) {
      expect({ table, columns: await columnsInDatabase(table) }).toEqual({ table, columns });
    }
  });

  /**
   * A column is retired if the previous version may still write it. Nothing reads it, and it is nullable or
   * has a default.
   */
  it('do not have retired columns, which are all optional', async () => {
    const retired = await database.query<{ table: string; column: string; required: boolean }>(
      `select attrelid::regclass::text as table, attname as column, attnotnull as required
         from pg_attribute where col_description(attrelid, attnum) like 'retired:%'`,
    );
    expect(retired.length).toBeGreaterThan(0);
    const mapped = new Map(mappedTables(app).map(({ table, columns }) => [table, columns]));
    for (const { table, column, required } of retired) {
      expect(Object.keys(mapped.get(table) ?? {})).not.toContain(column);
      expect({ table, column, required }).toEqual({ table, column, required: false });
    }
  });

  async function columnsInDatabase(table: string): Promise<Record<string, string>> {
    const rows = await database.query<{ name: string; type: string; required: boolean }>(
      `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required
         from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
          and coalesce(col_description(attrelid, attnum), '') not like 'retired:%'`,
      [table],
    );
    return Object.fromEntries(
      rows.map(({ name, type, required }) => [name, `${type}${required ? ' not null' : ''}`]),
    );
  }
});
