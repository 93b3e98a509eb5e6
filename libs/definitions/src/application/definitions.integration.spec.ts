import { type Caller, Clock } from '@counterfoil/kernel';
import { rowsOf, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { DefinitionsModule } from '../definitions.module';
import type { CustomFieldDetails } from '../domain/custom-field';
import type { JsonObject } from '../domain/saved-report';
import { CreateCustomField } from './create-custom-field';
import { CreateDocumentExecutionStatus } from './create-document-execution-status';
import { CreateSavedReport } from './create-saved-report';
import { DefinitionReader } from './ports/definition.reader';

const NOW = new Date('2026-11-22T08:00:00.123Z');
const REGION: CustomFieldDetails = { name: 'Region', appliesTo: 'vendor', fieldType: 'text' };

class StoppedClock extends Clock {
  override now(): Date {
    return NOW;
  }
}

let context: TestContext;
let reader: DefinitionReader;
let ours: Caller;
let theirs: Caller;

beforeAll(async () => {
  context = await startTestContext([DefinitionsModule], (builder) =>
    builder.overrideProvider(Clock).useValue(new StoppedClock()),
  );
  reader = context.get(DefinitionReader);
});
beforeEach(async () => {
  [ours, theirs] = [await givenCaller(), await givenCaller()];
});
afterAll(() => context.close());

async function givenCaller(): Promise<Caller> {
  const [row] = await context.database.query<{ id: number }>(
    `insert into companies (name, created_at) values ('Acme', now()) returning id::int`,
  );
  return { companyId: row!.id, userId: 1, apiKeyId: 1, role: 'owner' };
}

const define = (by: Caller, details: CustomFieldDetails) =>
  context.get(CreateCustomField).execute(by, details);
const report = (by: Caller, filters: JsonObject, name = 'x') =>
  context.get(CreateSavedReport).execute(by, { name, filters });

it('what a company defines reads back as it was defined, oldest first, and by that company alone', async () => {
  const statuses = context.get(CreateDocumentExecutionStatus);
  const [first, second] = [await define(ours, REGION), await define(ours, { ...REGION, name: 'אזור 😀' })];
  const packed = await statuses.execute(ours, { name: 'Packed', color: '#aBcDeF' });
  const plain = await statuses.execute(ours, { name: 'Packed', color: null });
  const saved = await report(ours, { status: 'OPEN' }, 'Unpaid');
  const createdAt = NOW;
  expect(await rowsOf(reader.customFields(ours.companyId))).toEqual([
    { id: first, ...REGION, createdAt },
    { id: second, ...REGION, name: 'אזור 😀', createdAt },
  ]);
  expect(await rowsOf(reader.executionStatuses(ours.companyId))).toEqual([
    { id: packed, name: 'Packed', color: '#aBcDeF', createdAt },
    { id: plain, name: 'Packed', color: null, createdAt },
  ]);
  expect(await rowsOf(reader.savedReports(ours.companyId))).toEqual([
    { id: saved, name: 'Unpaid', filtersJson: '{"status":"OPEN"}', createdAt },
  ]);
  const { companyId } = theirs;
  expect(await rowsOf(reader.customFields(companyId))).toEqual([]);
  expect(await rowsOf(reader.executionStatuses(companyId))).toEqual([]);
  expect(await rowsOf(reader.savedReports(companyId))).toEqual([]);
});

it.each([
  '{}',
  '{"z":1,"a":{"y":[1,[],{}],"b":null},"m":[{"q":true,"c":"שלום 😀"}]}',
  '{"constructor":{"a":1},"prototype":null,"toString":"x","hasOwnProperty":[],"then":5,"toJSON":"x"}',
  '{"@instanceof":"FindOperator","_type":"raw","_value":"x","__instanceof":"Brackets"}',
  '{"a":"\\u0001\\u001f \\" \\\\ / \' $1 ? :name -- ; \u2028"}',
  '{"":{"":""},"a.b":1,"$ne":2,"a b":"  "}',
])('filters are kept letter by letter: %s', async (text) => {
  await report(ours, JSON.parse(text) as JsonObject);
  const [row] = await rowsOf(reader.savedReports(ours.companyId));
  expect(row!.filtersJson).toBe(text);
  const [stored] = await context.database.query<{ filters: string }>(
    'select filters::text as filters from saved_reports where company_id = $1',
    [ours.companyId],
  );
  expect(stored!.filters).toBe(text);
});

it('nothing is kept of a report whose filters are refused', async () => {
  for (const filters of [{ a: Infinity }, { a: 'x'.repeat(20_000) }, { a: [[[[[[[[]]]]]]]] }]) {
    await expect(report(ours, filters)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  }
  expect(await rowsOf(reader.savedReports(ours.companyId))).toEqual([]);
});

it.each([0, 1, 99, 100, 101, 1_000, 1_001, 2_500])('%i of each are read whole, in order', async (count) => {
  const rows = `select $1::bigint, n::text, now() from generate_series(1, $2::int) n`;
  const insert = (table: string, columns: string, values: string) =>
    context.database.query(
      `insert into ${table} (company_id, name, created_at, ${columns})
       select company, name, at, ${values} from (${rows}) made (company, name, at) order by name::int`,
      [ours.companyId, count],
    );
  await insert('custom_fields', 'applies_to, field_type', `'vendor', 'text'`);
  await insert('document_execution_statuses', 'color', 'null');
  await insert('saved_reports', 'filters', `'{}'`);
  await define(theirs, REGION);
  const expected = Array.from({ length: count }, (_, n) => `${n + 1}`);
  const { companyId } = ours;
  for (const read of [
    await rowsOf(reader.customFields(companyId)),
    await rowsOf(reader.executionStatuses(companyId)),
    await rowsOf(reader.savedReports(companyId)),
  ]) {
    expect(read.map(({ name }) => name)).toEqual(expected);
  }
});

it('the database itself refuses an invalid color, and filters that are not an object', async () => {
  const insert = (table: string, column: string, value: string) =>
    context.database.query(
      `insert into ${table} (company_id, name, created_at, ${column}) values ($1, 'x', now(), $2)`,
      [ours.companyId, value],
    );
  for (const color of ['red', '#12345', '#1234567', '#12345g', '']) {
    await expect(insert('document_execution_statuses', 'color', color)).rejects.toThrow(/color/);
  }
  for (const filters of ['[]', '5', 'null', '"x"']) {
    await expect(insert('saved_reports', 'filters', filters)).rejects.toThrow(/filters/);
  }
});

it('the lists are found by company and id', async () => {
  for (const table of ['custom_fields', 'document_execution_statuses', 'saved_reports']) {
    const [index] = await context.database.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where tablename = $1 and indexname = $1 || '_company'`,
      [table],
    );
    expect(index!.indexdef).toMatch(/\(company_id, id\)$/);
  }
});
