import { isCounterfoilError } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { useChosenParty } from '../../../parts/chosen-party.ts';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { useParam } from '../../../parts/params.ts';
import { Trail } from '../../../parts/trail.tsx';
import { type ChargeRecord, refundable } from '../amounts.ts';
import { PaymentStatus, useFailure } from '../charge-status.tsx';
import { useCards } from '../gateway.tsx';
import { PAYMENTS } from '../texts.ts';
import { PAYMENTS_TITLE } from '../title.ts';
import { Acts } from './acts.tsx';
import { PaidDocument } from './paid-document.tsx';
import { CHARGE } from './texts.ts';
import { TimeLine } from './time-line.tsx';

/** While the provider has not answered, the worker asks it again: the page looks for the outcome. */
const LOOK_MS = 3_000;

export function Page() {
  const t = useTexts(CHARGE);
  const list = useTexts(PAYMENTS_TITLE)('title');
  const { client, may } = useAccount();
  const id = useParam('id');
  const found = useQuery({
    queryKey: ['gateway', 'charge', id],
    queryFn: () => client.gateway.charges.get(id),
    retry: (count, error) => count < 1 && !isCounterfoilError(error),
    refetchInterval: ({ state: { data } }) =>
      data?.operations.some(({ state }) => state === 'PENDING') ? LOOK_MS : false,
  });
  const charge = found.data;
  const actions = (
    <>
      <ApiCall request={`GET /gateway/charges/${id}`} sdk={`await counterfoil.gateway.charges.get(${id});`} />
      {charge && may('write') && <Acts charge={charge} />}
    </>
  );
  return (
    <>
      <Trail steps={[{ to: '/payments', text: list }]} />
      <PageFrame title={t('title', { id })} actions={actions}>
        {found.error && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
        {found.isPending && <Loading />}
        {charge && <Parts charge={charge} />}
      </PageFrame>
    </>
  );
}

function Parts({ charge }: { readonly charge: ChargeRecord }) {
  return (
    <div className="split">
      <div className="stack">
        <TimeLine charge={charge} />
        <PaidDocument charge={charge} />
      </div>
      <div className="stack">
        <Amounts charge={charge} />
        <Details charge={charge} />
      </div>
    </div>
  );
}

function Amounts({ charge }: { readonly charge: ChargeRecord }) {
  const t = useTexts(CHARGE);
  const { money } = useFormats();
  const failure = useFailure();
  const { amount, capturedAmount, refundedAmount, currency, status, failureCode } = charge;
  return (
    <Section title={t('amounts')} actions={<PaymentStatus status={status} />}>
      {failureCode !== null && <p className="before">{failure(failureCode)}</p>}
      <Facts
        facts={[
          { name: t('charged'), value: money(amount, currency) },
          { name: t('captured'), value: money(capturedAmount, currency) },
          { name: t('refunded'), value: money(refundedAmount, currency) },
          status === 'SUCCEEDED' && { name: t('left'), value: money(refundable(charge), currency) },
        ]}
      />
    </Section>
  );
}

function Details({ charge }: { readonly charge: ChargeRecord }) {
  const t = useTexts(CHARGE);
  const p = useTexts(PAYMENTS);
  const { date, time } = useFormats();
  const { nameOf } = useCards();
  const { tokenId, entityId, paymentPageId, recurringPaymentId, runDate, createdAt } = charge;
  const [party] = useChosenParty(entityId);
  const client = party && (
    <Link to="/payments" search={{ entityId: party.id }}>
      {party.name}
    </Link>
  );
  return (
    <Section title={t('details')}>
      <Facts
        facts={[
          { name: p('card'), value: nameOf(tokenId, paymentPageId !== null) },
          client && { name: p('client'), value: client },
          { name: p('created'), value: time(createdAt) },
          paymentPageId !== null && { name: t('onPage'), value: t('pageNumber', { id: paymentPageId }) },
          recurringPaymentId !== null && {
            name: t('recurring'),
            value: t('recurringNumber', { id: recurringPaymentId, date: runDate ? date(runDate) : '—' }),
          },
        ]}
      />
    </Section>
  );
}
