import type { QueryOf, RowOf } from '@counterfoil/sdk';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { PAGE_SIZE, useListQuery } from '../../parts/list-query.ts';
import { useLongList } from '../../parts/long-list.ts';
import { LongTable } from '../../parts/long-table.tsx';
import { EmptyState, PageFrame } from '../../parts/page.tsx';
import { ExpenseFilters, hasFilters } from './filters.tsx';
import { EXPENSES } from './texts.ts';
import { EXPENSES_TITLE } from './title.ts';

type Cost = RowOf<'GET /expenses'>;
type Query = QueryOf<'GET /expenses'>;

export function Page() {
  const title = useTexts(EXPENSES_TITLE);
  const t = useTexts(EXPENSES);
  const { client, may } = useAccount();
  const { search } = useListQuery();
  const query = useCostsQuery();
  const { limit: _limit, offset: _offset, ...narrowed } = query;
  const costs = useLongList(['expenses', 'list', narrowed], async (window) =>
    client.expenses.list({ ...narrowed, ...window }),
  );
  const columns = useColumns(query.include === 'all');
  const isNarrowed = hasFilters(search);
  return (
    <PageFrame
      title={title('title')}
      text={t('text')}
      actions={
        <>
          <ApiCall request={requestOf(query)} sdk={sdkOf(query)} />
          {may('write') && <NewExpense />}
        </>
      }
    >
      <ExpenseFilters />
      <LongTable
        label={title('title')}
        columns={columns}
        list={costs}
        idOf={(cost) => ('source' in cost ? cost.documentVisibleId : cost.expense.id)}
        empty={
          isNarrowed ? (
            <EmptyState title={t('noMatch')} />
          ) : (
            <EmptyState title={t('empty')}>
              <p>{may('write') ? t('emptyText') : t('emptyViewer')}</p>
              {may('write') && <NewExpense />}
            </EmptyState>
          )
        }
      />
    </PageFrame>
  );
}

function NewExpense() {
  const t = useTexts(EXPENSES);
  return (
    <Link to="/expenses/new" className="button primary">
      {t('newExpense')}
    </Link>
  );
}

/** The call, as the address states it. The API checks the values. */
function useCostsQuery(): Query {
  const { offset, sortBy, sortOrder, search } = useListQuery();
  const text = (name: string) => {
    const value = search[name];
    return value === undefined || value === '' ? undefined : String(value);
  };
  const part = { search: text('search'), startDate: text('startDate'), endDate: text('endDate') };
  const vendorId = search['vendorId'] === undefined ? undefined : Number(search['vendorId']);
  const include = search['include'] === 'all' ? 'all' : undefined;
  const all = { limit: PAGE_SIZE, offset, ...part, vendorId, include, sortBy, sortOrder };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function requestOf(query: Query): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `GET /expenses?${new URLSearchParams(entries).toString()}`;
}

function sdkOf({ limit: _limit, offset: _offset, ...query }: Query): string {
  const input = Object.keys(query).length > 0 ? JSON.stringify(query) : '';
  return [
    `for await (const { expense, vendor } of counterfoil.expenses.list(${input}))`,
    '  console.log(expense.date, vendor.name, expense.totalInILS);',
  ].join('\n');
}

/** @param withInvoices the list with supplier invoices is sorted by date, title and total only */
function useColumns(withInvoices: boolean): readonly Column<Cost>[] {
  const t = useTexts(EXPENSES);
  const { date, money } = useFormats();
  const sort = (name: string) => (withInvoices ? {} : { sort: name });
  return [
    { id: 'date', title: t('date'), sort: 'date', cell: ({ expense }) => date(expense.date) },
    { id: 'vendor', title: t('vendor'), cell: ({ vendor }) => <bdi className="cut">{vendor.name}</bdi> },
    {
      ...{ id: 'title', title: t('purpose'), sort: 'title' },
      cell: (cost) => <Purpose cost={cost} />,
    },
    {
      ...{ id: 'total', title: t('total'), sort: 'total', isNumber: true },
      cell: ({ expense }) => money(expense.total, expense.currency),
    },
    {
      ...{ id: 'ils', title: t('inShekels'), isNumber: true },
      cell: ({ expense }) =>
        expense.totalInILS === null ? (
          <span className="quiet-text">{t('noRate')}</span>
        ) : (
          money(expense.totalInILS, 'ILS')
        ),
    },
    {
      ...{ id: 'tax', title: t('tax'), ...sort('tax'), isNumber: true },
      cell: ({ expense }) => money(expense.tax, expense.currency),
    },
    {
      ...{ id: 'deductable', title: t('deductable'), ...sort('deductableTax'), isNumber: true },
      cell: ({ expense }) => money(expense.deductableTax, expense.currency),
    },
    {
      ...{ id: 'documentNumber', title: t('documentNumber') },
      cell: ({ expense }) => <bdi className="cut short">{expense.documentNumber}</bdi>,
    },
    {
      ...{ id: 'equipment', title: t('equipment'), ...sort('isEquipment') },
      cell: ({ expense }) => expense.isEquipment && <span className="badge">{t('isEquipment')}</span>,
    },
    {
      ...{ id: 'id', title: t('number'), ...sort('id'), isNumber: true },
      cell: ({ expense }) => expense.id,
    },
  ];
}

function Purpose({ cost }: { readonly cost: Cost }) {
  const t = useTexts(EXPENSES);
  const { id, title } = cost.expense;
  if ('source' in cost)
    return (
      <>
        <bdi className="cut">{title}</bdi> <span className="badge">{t('invoice')}</span>
      </>
    );
  return (
    <Link to="/expenses/$id" params={{ id: String(id) }} className="strong">
      <bdi className="cut">{title ?? t('open', { id })}</bdi>
    </Link>
  );
}
