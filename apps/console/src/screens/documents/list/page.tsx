import type { QueryOf, RowOf } from '@counterfoil/sdk';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import type { Column } from '../../../parts/data-table.tsx';
import { filtersOf, queryText } from '../../../parts/filter-values.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../../parts/filters.tsx';
import { PAGE_SIZE, useListQuery } from '../../../parts/list-query.ts';
import { type LongPage, useLongList } from '../../../parts/long-list.ts';
import { LongTable } from '../../../parts/long-table.tsx';
import { EmptyState, PageFrame } from '../../../parts/page.tsx';
import { PartyFilter } from '../../../parts/party-filter.tsx';
import { Status } from '../status.tsx';
import { DOCUMENTS } from '../texts.ts';
import { STATUSES, TYPES } from '../types.ts';
import { DOCUMENTS_TITLE } from './title.ts';

type Row = RowOf<'GET /documents'>;
type Query = Omit<NonNullable<QueryOf<'GET /documents'>>, 'cursor' | 'updatedSince'>;

const FILTERS = [
  ...(['search', 'type', 'status', 'startDate', 'endDate', 'overdueOn'] as const),
  ...(['approvalNumberStatus', 'entityId'] as const),
] as const;

const ALLOCATION_STATUSES = ['PENDING', 'REFUSED'] as const;

export function Page() {
  const title = useTexts(DOCUMENTS_TITLE)('title');
  const t = useTexts(DOCUMENTS);
  const { client, may } = useAccount();
  const { offset, search } = useListQuery();
  const filters = filtersOf(search, FILTERS);
  const query = { ...filters, limit: PAGE_SIZE, offset } as unknown as Query;
  const documents = useLongList(
    ['documents', 'list', filters],
    // Without a cursor, every answer has a total.
    async (window) => (await client.documents.list({ ...query, ...window })) as unknown as LongPage<Row>,
  );
  const columns = useColumns();
  const issue = may('write') && (
    <Link to="/documents/new" className="button primary">
      {t('issue')}
    </Link>
  );
  const isFiltered = Object.keys(filters).length > 0;
  const actions = (
    <>
      <ApiCall
        request={`GET /documents?${queryText(query)}`}
        sdk={`const { data } = await counterfoil.documents.list(${JSON.stringify(query)});`}
      />
      {issue}
    </>
  );
  return (
    <PageFrame title={title} text={t('text')} actions={actions}>
      <DocumentFilters />
      <LongTable
        label={title}
        columns={columns}
        list={documents}
        idOf={({ id }) => id}
        empty={
          <EmptyState title={t(isFiltered ? 'noneFound' : 'empty')}>
            <p>{t(isFiltered ? 'noneFoundText' : 'first')}</p>
            {!isFiltered && issue}
          </EmptyState>
        }
      />
    </PageFrame>
  );
}

function DocumentFilters() {
  const t = useTexts(DOCUMENTS);
  return (
    <Filters names={FILTERS}>
      <TextFilter name="search" label={t('search')} />
      <ChoiceFilter
        name="type"
        label={t('type')}
        options={TYPES.map((value) => ({ value, text: t(value) }))}
      />
      <ChoiceFilter
        name="status"
        label={t('status')}
        options={STATUSES.map((value) => ({ value, text: t(value) }))}
      />
      <TextFilter name="startDate" label={t('startDate')} kind="date" />
      <TextFilter name="endDate" label={t('endDate')} kind="date" />
      <TextFilter name="overdueOn" label={t('overdueOn')} kind="date" />
      <ChoiceFilter
        name="approvalNumberStatus"
        label={t('allocationNumber')}
        options={ALLOCATION_STATUSES.map((value) => ({ value, text: t(value) }))}
      />
      <PartyFilter />
    </Filters>
  );
}

/** A process of the release before, during an upgrade, does not name it. */
const clientOf = ({ entity }: Partial<Row>): string | undefined => entity?.name;

function useColumns(): readonly Column<Row>[] {
  const t = useTexts(DOCUMENTS);
  const { date, money } = useFormats();
  return [
    {
      ...{ id: 'document', title: t('document') },
      cell: ({ type, number, visibleId, externalId }) => (
        <>
          <Link to="/documents/$id" params={{ id: visibleId }} className="strong">
            {t('number', { type: t(type), number })}
          </Link>{' '}
          <bdi className="quiet-text clip aside">{externalId}</bdi>
        </>
      ),
    },
    { id: 'client', title: t('party'), cell: (row) => <bdi className="cut">{clientOf(row)}</bdi> },
    { id: 'status', title: t('status'), cell: ({ status }) => <Status status={status} /> },
    {
      ...{ id: 'total', title: t('total'), isNumber: true },
      cell: ({ totalWithTax, currency }) => <span className="strong">{money(totalWithTax, currency)}</span>,
    },
    {
      ...{ id: 'remaining', title: t('remaining'), isNumber: true },
      cell: ({ remainingAmount, currency }) => money(remainingAmount, currency),
    },
    { id: 'issueDate', title: t('issueDate'), cell: ({ issueDate }) => date(issueDate) },
    { id: 'dueDate', title: t('dueDate'), cell: ({ dueDate }) => (dueDate ? date(dueDate) : '—') },
    {
      ...{ id: 'allocation', title: t('allocationNumber') },
      cell: ({ taxAuthorityApprovalNumber, approvalNumberStatus }) => (
        <bdi className="clip">
          {taxAuthorityApprovalNumber ?? (approvalNumberStatus ? t(approvalNumberStatus) : '—')}
        </bdi>
      ),
    },
  ];
}
