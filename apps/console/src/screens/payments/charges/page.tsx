import type { QueryOf } from '@counterfoil/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { filtersOf, queryText } from '../../../parts/filter-values.ts';
import { ChoiceFilter, Filters } from '../../../parts/filters.tsx';
import { PAGE_SIZE, useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState } from '../../../parts/page.tsx';
import { PartyFilter } from '../../../parts/party-filter.tsx';
import type { Charge } from '../amounts.ts';
import { PaymentStatus, useFailure } from '../charge-status.tsx';
import { PaymentsFrame, useCards } from '../gateway.tsx';
import { PAYMENTS } from '../texts.ts';
import { PAYMENTS_TITLE } from '../title.ts';
import { NewCharge } from './new-charge.tsx';
import { CHARGES } from './texts.ts';

type Query = NonNullable<QueryOf<'GET /gateway/charges'>>;

const FILTERS = ['entityId', 'status', 'tokenId', 'documentId'] as const;
const STATUSES = ['PENDING', 'AUTHORIZED', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const;

export function Page() {
  const title = useTexts(PAYMENTS_TITLE)('title');
  const t = useTexts(CHARGES);
  const p = useTexts(PAYMENTS);
  const { client } = useAccount();
  const { offset, search } = useListQuery();
  const filters = filtersOf(search, FILTERS);
  const query = { ...filters, limit: PAGE_SIZE, offset } as unknown as Query;
  const charges = useQuery({
    queryKey: ['gateway', 'charges', query],
    queryFn: async () => client.gateway.charges.list(query),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const isFiltered = Object.keys(filters).length > 0;
  const call = (
    <ApiCall
      request={`GET /gateway/charges?${queryText(query)}`}
      sdk={`const { data } = await counterfoil.gateway.charges.list(${JSON.stringify(query)});`}
    />
  );
  return (
    <PaymentsFrame title={title} text={t('text')} actions={call} write={<NewCharge />}>
      <ChargeFilters />
      {charges.error && <ErrorNotice error={charges.error} retry={() => void charges.refetch()} />}
      {charges.isPending && <Loading />}
      {charges.data && (
        <DataTable
          label={p('charges')}
          columns={columns}
          rows={charges.data.data}
          idOf={({ id }) => id}
          total={charges.data.pagination.total}
          empty={
            <EmptyState title={isFiltered ? p('noneFound') : t('empty')}>
              {!isFiltered && <p>{t('first')}</p>}
            </EmptyState>
          }
        />
      )}
    </PaymentsFrame>
  );
}

function ChargeFilters() {
  const p = useTexts(PAYMENTS);
  const { all, textOf } = useCards();
  return (
    <Filters names={FILTERS}>
      <PartyFilter />
      <ChoiceFilter
        name="status"
        label={p('status')}
        options={STATUSES.map((value) => ({ value, text: p(value) }))}
      />
      <ChoiceFilter
        name="tokenId"
        label={p('card')}
        options={all.map((card) => ({ value: String(card.id), text: `${textOf(card)} (${card.id})` }))}
      />
    </Filters>
  );
}

function useColumns(): readonly Column<Charge>[] {
  const t = useTexts(CHARGES);
  const p = useTexts(PAYMENTS);
  const { time, money } = useFormats();
  const { nameOf } = useCards();
  const failure = useFailure();
  return [
    {
      ...{ id: 'charge', title: t('charge') },
      cell: ({ id }) => (
        <Link to="/payments/charges/$id" params={{ id: String(id) }} className="strong">
          {t('number', { id })}
        </Link>
      ),
    },
    { id: 'created', title: p('created'), cell: ({ createdAt }) => time(createdAt) },
    {
      ...{ id: 'card', title: p('card') },
      cell: ({ tokenId, paymentPageId }) => (
        <bdi className="clip">{nameOf(tokenId, paymentPageId !== null)}</bdi>
      ),
    },
    {
      ...{ id: 'status', title: p('status') },
      cell: ({ status, failureCode }) => (
        <>
          <PaymentStatus status={status} />
          {failureCode !== null && <div className="quiet-text">{failure(failureCode)}</div>}
        </>
      ),
    },
    {
      ...{ id: 'captured', title: t('captured'), isNumber: true },
      cell: ({ capturedAmount, currency }) => money(capturedAmount, currency),
    },
    {
      ...{ id: 'refunded', title: t('refunded'), isNumber: true },
      cell: ({ refundedAmount, currency }) => (refundedAmount === 0 ? '—' : money(refundedAmount, currency)),
    },
    {
      ...{ id: 'amount', title: p('amount'), isNumber: true },
      cell: ({ amount, currency }) => <span className="strong">{money(amount, currency)}</span>,
    },
  ];
}
