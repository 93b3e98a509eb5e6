import type { RowOf } from '@counterfoil/sdk';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { CopyButton } from '../../../parts/code-sample.tsx';
import { EmptyState } from '../../../parts/page.tsx';
import { type PlainColumn, PlainTable } from '../../../parts/plain-table.tsx';
import { PaymentStatus } from '../charge-status.tsx';
import { PaymentsFrame } from '../gateway.tsx';
import { Growing, useGrowing } from '../growing.tsx';
import { PAYMENTS } from '../texts.ts';
import { PAYMENT_PAGES_TITLE } from '../title.ts';
import { NewPage } from './new-page.tsx';
import { PAGES } from './texts.ts';

type PaymentPage = RowOf<'GET /gateway/payments/payment-pages'>;

export function Page() {
  const title = useTexts(PAYMENT_PAGES_TITLE)('title');
  const t = useTexts(PAGES);
  const { client } = useAccount();
  const list = useGrowing<PaymentPage>(
    'pages',
    async (window) => (await client.gateway.paymentPages.list(window)).data,
  );
  const columns = useColumns();
  const call = (
    <ApiCall
      request="GET /gateway/payments/payment-pages?limit=50"
      sdk={
        'for await (const page of counterfoil.gateway.paymentPages.list())\n  console.log(page.url, page.status);'
      }
    />
  );
  return (
    <PaymentsFrame title={title} text={t('text')} actions={call} write={<NewPage />}>
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

function useColumns(): readonly PlainColumn<PaymentPage>[] {
  const t = useTexts(PAGES);
  const p = useTexts(PAYMENTS);
  const { time, money } = useFormats();
  return [
    {
      ...{ id: 'description', title: t('description') },
      cell: ({ description }) => <bdi className="clip strong">{description}</bdi>,
    },
    { id: 'status', title: p('status'), cell: ({ status }) => <PaymentStatus status={status} /> },
    { id: 'created', title: p('created'), cell: ({ createdAt }) => time(createdAt) },
    {
      ...{ id: 'charge', title: t('charge') },
      cell: ({ chargeId }) =>
        chargeId === null ? (
          '—'
        ) : (
          <Link to="/payments/charges/$id" params={{ id: String(chargeId) }}>
            {t('chargeNumber', { id: chargeId })}
          </Link>
        ),
    },
    {
      ...{ id: 'amount', title: p('amount'), isNumber: true },
      cell: ({ amount, currency }) => <span className="strong">{money(amount, currency)}</span>,
    },
    {
      ...{ id: 'link', title: t('link') },
      cell: ({ id, url }) =>
        url === null ? (
          <span className="quiet-text">{t('noLink')}</span>
        ) : (
          <CopyButton text={url} name={t('linkOf', { id })} />
        ),
    },
  ];
}
