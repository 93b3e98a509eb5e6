import { AUDITED_ENTITIES } from '@counterfoil/audit-log';
import { createTestDatabase, type TestDatabase } from '@counterfoil/test-harness';
import { NO_SECRETS, NOT_AUDITED, SECRET_NAME, SECRETS } from './audited-tables';

/** Entries about these belong to the installation, which no caller sees. */
const OF_INSTALLATION = ['company_operation', 'epoch', 'migration'];

interface Trigger {
  readonly table: string;
  readonly arguments: string;
  /** The columns whose update is recorded, none if that of any column is; null if updates are not. */
  readonly updates: string[] | null;
  readonly columns: string[];
}

const listed = (array = '{}'): string[] =>
  array
    .slice(1, -1)
    .split(',')
    .filter((name) => name !== '');

describe('the audit log', () => {
  let database: TestDatabase;
  let triggers: (Trigger & {
    readonly entity: string;
    readonly secrets: string[];
    readonly omitted: string[];
  })[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const rows = await database.query<Trigger>(
      `select c.relname as table, encode(tgargs, 'escape') as arguments,
              case when tgtype & 16 > 0 then array(
                select attname::text from pg_attribute where attrelid = c.oid and attnum = any (tgattr::int2[])) end as updates,
              array(select attname::text from pg_attribute
                     where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
         from pg_trigger t join pg_class c on c.oid = tgrelid
        where tgname in ('audited', 'audited_update') order by 1`,
    );
    triggers = rows.map((row) => {
      const [entity = '', , secrets, omitted] = row.arguments.split('\\000');
      return { ...row, entity, secrets: listed(secrets), omitted: listed(omitted) };
    });
  });
  afterAll(() => database.drop());

  it('records the changes of each table, unless there is a reason', async () => {
    const tables = await database.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const known = [...triggers.map(({ table }) => table), ...Object.keys(NOT_AUDITED)];
    expect(known.sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it('names the types of records that callers can ask for', () => {
    const entities = triggers.map(({ entity }) => entity).filter((name) => !OF_INSTALLATION.includes(name));
    expect(entities.sort()).toEqual([...AUDITED_ENTITIES].sort());
  });

  it('hides the secrets', () => {
    const hidden = triggers.filter(({ secrets }) => secrets.length > 0);
    expect(Object.fromEntries(hidden.map(({ table, secrets }) => [table, secrets]))).toEqual(SECRETS);
  });

  it('records no other column that sounds like a secret', () => {
    const doubtful = triggers.flatMap(({ table, columns, omitted, secrets }) =>
      columns
        .filter((name) => SECRET_NAME.test(name) && ![...omitted, ...secrets].includes(name))
        .map((name) => `${table}.${name}`),
    );
    expect(doubtful.filter((name) => !NO_SECRETS.includes(name))).toEqual([]);
  });

  it('records the update of each column that it does not leave out', () => {
    const kept = ({ columns, omitted }: (typeof triggers)[number]) =>
      columns.filter((name) => !omitted.includes(name));
    const forgotten = triggers
      .filter(({ updates }) => updates !== null && updates.length > 0)
      .flatMap((trigger) =>
        kept(trigger)
          .filter((name) => !trigger.updates?.includes(name))
          .map((name) => `${trigger.table}.${name}`),
      );
    expect(forgotten).toEqual([]);
  });
});
