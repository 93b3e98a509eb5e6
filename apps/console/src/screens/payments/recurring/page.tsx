import type { RowOf } from '@counterfoil/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { ServiceText } from '../../../parts/error-notice.tsx';
import { EmptyState } from '../../../parts/page.tsx';
import { type PlainColumn, PlainTable } from '../../../parts/plain-table.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import { PaymentStatus } from '../charge-status.tsx';
import { PaymentsFrame, useCards } from '../gateway.tsx';
import { Growing, useGrowing } from '../growing.tsx';
import { PAYMENTS } from '../texts.ts';
import { RECURRING_TITLE } from '../title.ts';
import { NewRecurring } from './new-recurring.tsx';
import { RECURRING } from './texts.ts';

type Recurring = RowOf<'GET /gateway/recurring-payments'>;

export function Page() {
  const title = useTexts(RECURRING_TITLE)('title');
  const t = useTexts(RECURRING);
  const { client } = useAccount();
  const list = useGrowing<Recurring>(
    'recurring',
    async (window) => (await client.gateway.recurringPayments.list(window)).data,
  );
  const columns = useColumns();
  const call = (
    <ApiCall
      request="GET /gateway/recurring-payments?limit=50"
      sdk={
        'for await (const payment of counterfoil.gateway.recurringPayments.list())\n  console.log(payment.nextRunDate, payment.amount);'
      }
    />
  );
  return (
    <PaymentsFrame title={title} text={t('text')} actions={call} write={<NewRecurring />}>
      <p className="quiet-text before">
        {t('changesNothing')} <Link to="/retainers">{t('toRetainers')}</Link>
      </p>
      <Growing list={list}>
        {list.rows?.length === 0 && (
          <EmptyState title={t('empty')}>
            <p>{t('first')}</p>
          </EmptyState>
        )}
        {list.rows && list.rows.length > 0 && (
          <PlainTable label={title} columns={columns} rows={list.rows} idOf={({ id }) => id} />
        )}
      </Growing>
    </PaymentsFrame>
  );
}

function useColumns(): readonly PlainColumn<Recurring>[] {
  const t = useTexts(RECURRING);
  const p = useTexts(PAYMENTS);
  const { may } = useAccount();
  const { date, money } = useFormats();
  const { nameOf } = useCards();
  const columns: PlainColumn<Recurring>[] = [
    {
      ...{ id: 'card', title: p('card') },
      cell: ({ tokenId }) => <bdi className="strong">{nameOf(tokenId)}</bdi>,
    },
    { id: 'every', title: t('every'), cell: ({ interval }) => p(interval) },
    {
      ...{ id: 'next', title: t('next') },
      cell: ({ nextRunDate, refusal }) => (
        <>
          {date(nextRunDate)}
          {refusal && (
            <span className="problem">
              {' '}
              {t('refused')} <ServiceText>{refusal.error}</ServiceText>
            </span>
          )}
        </>
      ),
    },
    { id: 'last', title: t('last'), cell: ({ lastCharge }) => <LastCharge charge={lastCharge} /> },
    {
      ...{ id: 'amount', title: p('amount'), isNumber: true },
      cell: ({ amount, currency }) => <span className="strong">{money(amount, currency)}</span>,
    },
  ];
  if (!may('write')) return columns;
  return [
    ...columns,
    { id: 'end', title: t('end'), isTitleHidden: true, cell: (payment) => <End payment={payment} /> },
  ];
}

function LastCharge({ charge }: { readonly charge: Recurring['lastCharge'] }) {
  const t = useTexts(RECURRING);
  const { date } = useFormats();
  if (charge === null) return <span className="quiet-text">{t('lastNone')}</span>;
  return (
    <>
      <Link to="/payments/charges/$id" params={{ id: String(charge.id) }}>
        {t('chargeOf', { date: date(charge.runDate) })}
      </Link>{' '}
      <PaymentStatus status={charge.status} />
    </>
  );
}

function End({ payment: { id, tokenId } }: { readonly payment: Recurring }) {
  const t = useTexts(RECURRING);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const { nameOf } = useCards();
  const ending = useMutation({
    mutationFn: () => client.gateway.recurringPayments.end(id),
    onSuccess: () => toasts.say(t('ended')),
    onError: (error) => toasts.fail(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['gateway'] }),
  });
  return (
    <Confirm
      label={t('end')}
      name={t('endName', { id })}
      title={t('endQuestion')}
      onConfirm={() => ending.mutate()}
    >
      {t('endText', { card: nameOf(tokenId) })}
    </Confirm>
  );
}
