import type { AnswerOf } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { useParam } from '../../../parts/params.ts';
import { Trail } from '../../../parts/trail.tsx';
import { causeOf, type Endpoint } from '../causes.ts';
import { CAUSES } from '../cause-messages.ts';
import { DELIVERIES } from '../delivery-messages.ts';
import { LIVE_MS } from '../live.ts';
import { ReplayOne } from '../replay-one.tsx';
import { DeliveryBadge } from '../state-badge.tsx';
import { DELIVERY_TITLE, WEBHOOKS_TITLE } from '../title.ts';
import { SentRequest } from './sent-request.tsx';
import { TimeLine } from './time-line.tsx';

type DeliveryWithBody = AnswerOf<'GET /webhooks/{id}/deliveries/{deliveryId}'>;

export function Page() {
  const webhooks = useTexts(WEBHOOKS_TITLE);
  const title = useTexts(DELIVERY_TITLE);
  const { client } = useAccount();
  const [id, deliveryId] = [useParam('id'), useParam('deliveryId')];
  const endpoint = useQuery({ queryKey: ['webhooks', id], queryFn: () => client.webhooks.get(id) });
  const delivery = useQuery({
    queryKey: ['webhooks', id, 'delivery', deliveryId],
    queryFn: () => client.webhooks.deliveries.get(id, deliveryId),
    refetchInterval: LIVE_MS / 2,
  });
  const steps = [
    { to: '/webhooks', text: webhooks('title') },
    { to: `/webhooks/${id}`, text: <bdi dir="ltr">{endpoint.data?.url ?? id}</bdi> },
  ];
  const error = endpoint.error ?? delivery.error;
  const reload = () => void Promise.all([endpoint.refetch(), delivery.refetch()]);
  return (
    <>
      <Trail steps={steps} />
      {endpoint.data && delivery.data ? (
        <Shown endpoint={endpoint.data} delivery={delivery.data} />
      ) : (
        <PageFrame title={title('title')}>
          {error ? <ErrorNotice error={error} retry={reload} /> : <Loading />}
        </PageFrame>
      )}
    </>
  );
}

interface ShownProps {
  readonly endpoint: Endpoint;
  readonly delivery: DeliveryWithBody;
}

function Shown({ endpoint, delivery }: ShownProps) {
  const t = useTexts(DELIVERIES);
  const { time } = useFormats();
  const { may } = useAccount();
  const { id, eventId, eventType, state, createdAt } = delivery;
  const actions = (
    <>
      <ApiCall
        request={`GET /webhooks/${endpoint.id}/deliveries/${id}`}
        sdk={`const delivery = await counterfoil.webhooks.deliveries.get('${endpoint.id}', ${id});\nawait counterfoil.webhooks.deliveries.replay('${endpoint.id}', ${id});`}
      />
      {may('administer') && <ReplayOne endpointId={endpoint.id} delivery={delivery} look="primary" />}
    </>
  );
  return (
    <PageFrame name={`${eventType} ${id}`} title={<bdi dir="ltr">{eventType}</bdi>} actions={actions}>
      <CauseNotice endpoint={endpoint} delivery={delivery} />
      <div className="cards">
        <section className="card">
          <h2>{t('about')}</h2>
          <dl className="facts">
            <dt>{t('state')}</dt>
            <dd>
              <DeliveryBadge state={state} />
            </dd>
            <dt>{t('eventId')}</dt>
            <dd>
              <code>{eventId}</code>
            </dd>
            <dt>{t('endpoint')}</dt>
            <dd>
              <bdi dir="ltr">{endpoint.url}</bdi>
            </dd>
            <dt>{t('created')}</dt>
            <dd>{time(createdAt)}</dd>
          </dl>
        </section>
        <TimeLine delivery={delivery} isPaused={endpoint.pausedAt !== null} />
      </div>
      <SentRequest delivery={delivery} url={endpoint.url} />
    </PageFrame>
  );
}

/** Says in words why the delivery has not arrived, and what to do about it. */
function CauseNotice({ endpoint, delivery }: ShownProps) {
  const t = useTexts(DELIVERIES);
  const why = useTexts(CAUSES);
  const cause = causeOf(delivery, endpoint.pausedAt !== null);
  if (!cause) return null;
  return (
    <section className="cause" aria-label={t('cause')}>
      <h2>
        <bdi>{why(`${cause.key}_why`, cause.values)}</bdi>
      </h2>
      <p>
        <span className="strong">{t('what')}:</span> {why(`${cause.key}_do`, cause.values)}
      </p>
    </section>
  );
}
