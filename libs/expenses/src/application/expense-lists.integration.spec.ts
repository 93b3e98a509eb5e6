import { CancelSupplierInvoice, CreateSupplierInvoice, DocumentsModule } from '@counterfoil/documents';
import { IdentityModule } from '@counterfoil/identity';
import { type Caller, Epochs, Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import fc from 'fast-check';
import type { ExpenseDetails } from '../domain/expense';
import { ExpensesModule } from '../expenses.module';
import { anExpense, givenCaller, givenFile, givenVendor } from '../testing/given-expense';
import { CreateExpense } from './create-expense';
import { DeleteExpense } from './delete-expense';
import { EditExpense } from './edit-expense';
import {
  COMBINED_SORTS,
  EXPENSE_SORTS,
  type ExpenseFilter,
  type ExpenseList,
  ExpenseReader,
  type ExpenseRow,
  type ListedSupplierInvoice,
} from './ports/expense.reader';
import { ExpenseRepository } from './ports/expense.repository';

type ListRow = ExpenseRow | ListedSupplierInvoice;

const NEWEST = { by: 'date', descending: true } as const;
const FIRST = { limit: 200, offset: 0 };

let context: TestContext;
let reader: ExpenseReader;

beforeAll(async () => {
  context = await startTestContext([DocumentsModule, ExpensesModule, IdentityModule]);
  reader = context.get(ExpenseReader);
});
afterAll(() => context.close());

const keyOf = (row: ListRow) => `${row.source} ${row.id}`;
const own = (filter: ExpenseFilter = {}): ExpenseList => ({
  filter,
  sort: NEWEST,
  withSupplierInvoices: false,
});
const all = (filter: ExpenseFilter = {}): ExpenseList => ({
  filter,
  sort: NEWEST,
  withSupplierInvoices: true,
});

async function totalOf({ companyId }: Caller, list: ExpenseList): Promise<number> {
  return (await reader.list(companyId, list, { limit: 1, offset: 0 })).pagination.total;
}

async function givenBook() {
  const caller = await givenCaller(context);
  const entityId = await givenVendor(context, caller);
  const fileId = await givenFile(context, caller, 'receipt');
  const record = async (other: Partial<ExpenseDetails> = {}) =>
    (await context.get(CreateExpense).execute(caller, anExpense({ entityId, fileId }, other))).id;
  const invoice = async (other: Partial<ExpenseDetails> = {}) => {
    const {
      fileId: _,
      isEquipment: _e,
      entityId: vendorId,
      documentNumber,
      ...details
    } = anExpense({ entityId, fileId }, other);
    const asked = { ...details, vendorId, documentNumber: documentNumber ?? 'none' };
    return context.get(CreateSupplierInvoice).execute(caller, asked);
  };
  return { caller, entityId, fileId, record, invoice };
}

describe('a list of expenses', () => {
  const COUNT = 300;
  let caller: Caller;
  let vendors: number[];
  let known: ListRow[];

  const title = fc.option(
    fc
      .array(fc.constantFrom('train', 'TRAIN', 'רכבת', 'רכ', '%', '_', '\\', ' ', 'x', '10', 'É'), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => `${parts.join('')}.`),
  );
  const money = fc.constantFrom(0.01, 0.1, 0.3, 1, 2.5, 100);

  /** Reads all rows by separate SQL. */
  async function everything(): Promise<ListRow[]> {
    return context.database.query<ListRow>(
      `select 'EXPENSE' as source, id::int, entity_id::int as "entityId", title, notes, date::text,
              document_number as "documentNumber", total::float8, tax::float8, deductable_tax::float8 as "deductableTax",
              is_equipment as "isEquipment"
         from expenses where company_id = $1
       union all
       select 'SUPPLIER_INVOICE', id::int, entity_id::int, title, notes, date::text, document_number, total::float8,
              tax::float8, deductable_tax::float8, false
         from supplier_invoices where company_id = $1 and not cancelled`,
      [caller.companyId],
    );
  }

  beforeAll(async () => {
    const book = await givenBook();
    const other = await givenBook();
    caller = book.caller;
    vendors = [book.entityId, await givenVendor(context, caller), await givenVendor(context, caller)];
    const expense = fc.record({
      entityId: fc.constantFrom(...vendors.slice(0, 2)),
      title,
      notes: title,
      documentNumber: fc.constantFrom(null, 'R-10', 'r-10 ', 'R-7%'),
      date: fc.constantFrom('2025-12-31', '2026-01-01', '2026-02-28', '2024-02-29'),
      total: money.map((amount) => amount + 100),
      tax: money.map((amount) => Math.min(amount, 50)),
      isEquipment: fc.boolean(),
    });
    for (const [index, asked] of fc.sample(expense, { numRuns: COUNT, seed: 7 }).entries()) {
      const details = { ...asked, deductableTax: index % 2 === 0 ? asked.tax : 0 };
      if (index % 3 === 0) {
        const made = await book.invoice(details);
        if (index % 12 === 0)
          await context.get(CancelSupplierInvoice).execute(caller, made.visibleId, 'Twice');
      } else {
        const id = await book.record(details);
        if (index % 10 === 1) await context.get(EditExpense).execute(caller, id, { title: 'Edited train' });
        if (index % 20 === 2) await context.get(DeleteExpense).execute(caller, id);
      }
      if (index % 5 === 0) await other.record();
      if (index % 7 === 0) await other.invoice();
    }
    known = await everything();
    expect(known.filter(({ source }) => source === 'EXPENSE').length).toBeGreaterThan(150);
    expect(known.filter(({ source }) => source === 'SUPPLIER_INVOICE').length).toBeGreaterThan(60);
    // Rows of both kinds with the same id must be kept apart.
    expect(new Set(known.map(({ id }) => id)).size).toBeLessThan(known.length - 20);
  }, 120_000);

  const compare = (a: string | number | boolean, b: string | number | boolean): number => {
    if (a === b) return 0;
    return a < b ? -1 : 1;
  };

  /** Sort key of titles: in lower case by code points. Rows without a title come first. */
  const sortKey = (row: ListRow, by: ExpenseList['sort']['by']) =>
    by === 'title' ? (row.title ?? '').toLowerCase() : row[by];

  /** A model of the list: applies the documented rules to all rows. */
  function expected({ filter, sort, withSupplierInvoices }: ExpenseList): string[] {
    const term = filter.search?.trim().toLowerCase() ?? '';
    const contains = (text: string | null) => (text ?? '').toLowerCase().includes(term);
    return known
      .filter(({ source }) => withSupplierInvoices || source === 'EXPENSE')
      .filter(({ entityId }) => filter.vendorId === undefined || entityId === filter.vendorId)
      .filter(({ date }) => filter.startDate === undefined || date >= filter.startDate)
      .filter(({ date }) => filter.endDate === undefined || date <= filter.endDate)
      .filter((row) => term === '' || [row.title, row.notes, row.documentNumber].some(contains))
      .sort(
        (a, b) =>
          (compare(sortKey(a, sort.by), sortKey(b, sort.by)) || a.id - b.id || compare(a.source, b.source)) *
          (sort.descending ? -1 : 1),
      )
      .map(keyOf);
  }

  const asked = fc.constant(null).chain(() => {
    const filter = fc.record(
      {
        vendorId: fc.constantFrom(...vendors, 999_999),
        startDate: fc.constantFrom('2024-02-29', '2026-01-01', '2027-01-01'),
        endDate: fc.constantFrom('2024-02-28', '2025-12-31', '2026-02-28'),
        search: fc.constantFrom(
          ...[
            '',
            ' ',
            't',
            'tr',
            'tra',
            'TRAIN',
            'traintrain',
            'רכ',
            'רכבת',
            '%',
            '_',
            '\\',
            '%_',
            '10.',
            'x\\',
          ],
          ...[' train ', 'n r', '%%%', '___', 'r-10', '-7%', 'é', 'Éé', 'zzz', 'edited'],
        ),
      },
      { requiredKeys: [] },
    );
    const order = <By extends string>(...keys: readonly By[]) =>
      fc.record({ by: fc.constantFrom(...keys), descending: fc.boolean() });
    return fc.record({
      list: fc.oneof(
        fc.record({
          filter,
          sort: order(...EXPENSE_SORTS),
          withSupplierInvoices: fc.constant(false as const),
        }),
        fc.record({
          filter,
          sort: order(...COMBINED_SORTS),
          withSupplierInvoices: fc.constant(true as const),
        }),
      ),
      page: fc.record({
        limit: fc.constantFrom(1, 7, 50, 200),
        offset: fc.constantFrom(0, 0, 3, 49, 100, 150, 5_000),
      }),
    });
  });

  it('follows the rules for every query (contract §2.4, §11.5)', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ list, page }) => {
        const { data, pagination } = await reader.list(caller.companyId, list, page);
        const rows = expected(list);
        expect(data.map(keyOf)).toEqual(rows.slice(page.offset, page.offset + page.limit));
        expect(pagination.total).toBe(rows.length);
      }),
      { numRuns: 1_000, seed: 7 },
    );
  });

  const orders: ExpenseList[] = [true, false].flatMap((descending) => [
    ...EXPENSE_SORTS.map((by) => ({
      filter: {},
      sort: { by, descending },
      withSupplierInvoices: false as const,
    })),
    ...COMBINED_SORTS.map((by) => ({
      filter: {},
      sort: { by, descending },
      withSupplierInvoices: true as const,
    })),
  ]);

  it.each(orders)('can be read to its end: %j', async (list) => {
    const walked: string[] = [];
    for (let offset = 0, more = true; more; offset += 33) {
      const { data, pagination } = await reader.list(caller.companyId, list, { limit: 33, offset });
      walked.push(...data.map(keyOf));
      more = pagination.hasMore;
    }
    expect(walked).toEqual(expected(list));
  });

  it('shows each row as stored', async () => {
    const rows = await context.database.query<ListRow>(
      `select id::int, title, notes, date::text, document_number as "documentNumber", total::float8
         from expenses where company_id = $1 order by id`,
      [caller.companyId],
    );
    const list = { filter: {}, sort: { by: 'id', descending: false }, withSupplierInvoices: false } as const;
    const { data } = await reader.list(caller.companyId, list, FIRST);
    expect(data).toMatchObject(rows.slice(0, 200));
    expect(data[0]).toMatchObject({ vendorName: 'Paper Ltd', userName: 'Owner', userId: caller.userId });
  });

  it('has nothing of another company', async () => {
    const stranger = await givenCaller(context);
    for (const vendorId of [undefined, ...vendors]) {
      expect(await totalOf(stranger, own({ vendorId }))).toBe(0);
      expect(await totalOf(stranger, all({ vendorId, search: 'train' }))).toBe(0);
    }
  });
});

describe('a list of expenses with concurrent writers', () => {
  it('has rows and total from one snapshot, and sees every committed change (contract §2.3)', async () => {
    const { caller, record, invoice } = await givenBook();
    const [WRITERS, ROUNDS] = [4, 25];
    let writing = WRITERS;
    const write = async (writer: number) => {
      for (let round = 1; round <= ROUNDS; round++) {
        const id = await record({ title: `old ${writer}` });
        await context.get(EditExpense).execute(caller, id, { title: `new ${writer}` });
        const made = await invoice({ title: `new ${writer}` });
        if (round % 2 === 0) {
          await context.get(CancelSupplierInvoice).execute(caller, made.visibleId, 'Twice');
          await context.get(DeleteExpense).execute(caller, await record({ title: `new ${writer}` }));
        }
        expect(await totalOf(caller, own({ search: `new ${writer}` }))).toBe(round);
        expect(await totalOf(caller, all({ search: `new ${writer}` }))).toBe(round + Math.ceil(round / 2));
      }
      writing -= 1;
    };
    const read = async () => {
      let reads = 0;
      for (; writing > 0; reads++) {
        const { data, pagination } = await reader.list(caller.companyId, all({ search: 'new' }), FIRST);
        expect(data).toHaveLength(Math.min(200, pagination.total));
        expect(data.filter((row) => !row.title?.startsWith('new'))).toEqual([]);
        const plain = await reader.list(caller.companyId, own(), FIRST);
        expect(plain.data).toHaveLength(Math.min(200, plain.pagination.total));
      }
      return reads;
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    const [reads] = await Promise.all([read(), read(), ...writers]);
    expect(reads).toBeGreaterThan(10);
    expect(await totalOf(caller, own())).toBe(WRITERS * ROUNDS);
    expect(await totalOf(caller, all())).toBe(WRITERS * (ROUNDS + Math.ceil(ROUNDS / 2)));
    const counts = await context.database.query('select * from cost_counts where company_id = $1', [
      caller.companyId,
    ]);
    expect(counts).toHaveLength(1);
  }, 60_000);

  it('does not count rolled-back rows', async () => {
    const { caller, entityId, fileId, record } = await givenBook();
    await record();
    const failing = context.get(Transactions).run(async (tx) => {
      const at = new Date();
      await context.get(ExpenseRepository).insert(tx, {
        ...anExpense({ entityId, fileId }),
        ...{ totalInILS: 118, exchangeRate: null, exchangeRateUnit: null, exchangeRateDate: null },
        ...{ companyId: caller.companyId, userId: caller.userId, createdAt: at, updatedAt: at },
      });
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await totalOf(caller, own())).toBe(1);
    await record();
    expect(await totalOf(caller, own())).toBe(2);
  });

  it('counts rows that one statement writes for several companies', async () => {
    const books = [await givenBook(), await givenBook()];
    for (const { record } of books) {
      await record();
      await record();
    }
    const companies = books.map(({ caller }) => caller.companyId);
    await context.database.query(`update expenses set title = 'bulk' where company_id = any ($1)`, [
      companies,
    ]);
    for (const { caller } of books) expect(await totalOf(caller, own({ search: 'bulk' }))).toBe(2);
    await context.database.query('delete from expenses where company_id = any ($1)', [companies]);
    for (const { caller } of books) expect(await totalOf(caller, own())).toBe(0);
  });

  it('does not count supplier invoices inserted as cancelled, as from a dump', async () => {
    const { caller, invoice } = await givenBook();
    const { id } = await invoice();
    await context.database.query(
      `insert into supplier_invoices (visible_id, company_id, number, entity_id, document_number, date, currency, total,
         tax, deductable_tax, cancelled, created_at, updated_at)
       select gen_random_uuid(), company_id, number + n, entity_id, 'x', date, 'ILS', 1, 0, 0, n = 1, now(), now()
         from supplier_invoices, generate_series(1, 2) n where id = $1`,
      [id],
    );
    expect(await totalOf(caller, all())).toBe(2);
    await context.database.query(
      'update supplier_invoices set cancelled = not cancelled where company_id = $1',
      [caller.companyId],
    );
    expect(await totalOf(caller, all())).toBe(1);
  });

  it('shows changes of cached rows', async () => {
    const { caller, record } = await givenBook();
    const id = await record({ currency: 'ILS' });
    await reader.list(caller.companyId, own(), FIRST);
    await context.get(EditExpense).execute(caller, id, { currency: 'USD' });
    const { data } = await reader.list(caller.companyId, own(), FIRST);
    expect(data).toMatchObject([{ id, currency: 'USD', totalInILS: null }]);
  });
});

describe('a list of expenses that was read before a restore', () => {
  it.each<[string, (filter: ExpenseFilter) => ExpenseList]>([
    ['of expenses', own],
    ['with supplier invoices', all],
  ])('%s is read again, although the last change has the same number', async (_, listOf) => {
    const { caller, record } = await givenBook();
    const id = await record({ date: '2026-11-20' });
    const list = listOf({ startDate: '2026-11-01' });
    expect(await totalOf(caller, list)).toBe(1);
    // Without the triggers that number changes, as if the rows had been replaced by a restore.
    await context.database.query(
      `begin; set local session_replication_role = replica;
       update expenses set date = '2026-10-20' where id = ${id}; commit`,
    );
    expect(await totalOf(caller, list)).toBe(1);
    const epochs = context.get(Epochs);
    expect(await epochs.renew(await epochs.current(), 'a test')).toBe(true);
    expect(await totalOf(caller, list)).toBe(0);
    expect(await totalOf(caller, listOf({ startDate: '2026-10-01' }))).toBe(1);
  });
});
