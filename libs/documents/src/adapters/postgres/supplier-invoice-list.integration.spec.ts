import { Sql } from '@counterfoil/database';
import { ListSql, readWhole } from '@counterfoil/lists';
import { describeListPlans, startTestContext, type TestContext } from '@counterfoil/test-harness';
import type { SupplierInvoiceRow } from '../../application/ports/supplier-invoice.reader';
import { DocumentsModule } from '../../documents.module';
import { type GivenCompany, givenCompany } from '../../testing/given-company';
import { SUPPLIER_INVOICES } from './supplier-invoice.list';

const MANY = 20_000;
const DAYS = 500;

let context: TestContext;
let company: GivenCompany;

/** Inserts invoices dated on each of `days` days in turn. */
const insert = ({ caller, entityId }: GivenCompany, count: number, days: number) =>
  context.database.query(
    `insert into supplier_invoices (visible_id, company_id, number, entity_id, document_number, date, currency, total,
            tax, deductable_tax, created_at, updated_at)
     select gen_random_uuid(), $1, n, $2, 'R-' || n, date '2026-01-01' + n % $4::int, 'ILS', 1, 0, 0, now(), now()
       from generate_series(1, $3::int) n`,
    [caller.companyId, entityId, count, days],
  );

beforeAll(async () => {
  context = await startTestContext([DocumentsModule]);
  company = await givenCompany(context, 'Large');
  await insert(company, MANY, DAYS);
  await insert(await givenCompany(context, 'Other'), MANY / 4, DAYS);
  await context.database.vacuum('supplier_invoices');
}, 60_000);
afterAll(() => context.close());

describe('supplier invoices', () => {
  it.each([
    ['of one date', 11, 1],
    ['of dates that end in the middle of a batch', 11, 3],
    ['of whole batches', 12, 2],
  ])('%s are read in batches of two, each once and in order', async (_, count, days) => {
    const few = await givenCompany(context, 'Few');
    await insert(few, count, days);
    const { companyId } = few.caller;
    for (const descending of [false, true]) {
      const list = new ListSql(SUPPLIER_INVOICES, companyId, {
        filter: {},
        sort: { by: 'date', descending },
      });
      const ids: number[] = [];
      for await (const batch of readWhole<SupplierInvoiceRow>(context.get(Sql), list, 2)) {
        expect(batch.length).toBeLessThanOrEqual(2);
        ids.push(...batch.map(({ id }) => id));
      }
      const direction = descending ? 'desc' : 'asc';
      const expected = await context.database.query<{ id: number }>(
        `select id::int from supplier_invoices where company_id = $1 order by date ${direction}, id ${direction}`,
        [companyId],
      );
      expect(expected).toHaveLength(count);
      expect(ids).toEqual(expected.map(({ id }) => id));
    }
  });

  describeListPlans({
    list: SUPPLIER_INVOICES,
    on: () => ({ database: context.database, scope: company.caller.companyId }),
    isReadWhole: true,
    filters: {
      startDate: ['2100-01-01', 50],
      endDate: ['1990-01-01', 50],
      vendorId: [() => 404_404, 50],
    },
  });
});
