import { useQuery } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { useParam } from '../../../parts/params.ts';
import { Trail } from '../../../parts/trail.tsx';
import type { Endpoint } from '../causes.ts';
import { EVERY_EVENT } from '../endpoint-fields.tsx';
import { LIVE_MS } from '../live.ts';
import { NewestOutcomes } from '../newest-outcomes.tsx';
import { EndpointBadge } from '../state-badge.tsx';
import { WEBHOOKS } from '../texts.ts';
import { ENDPOINT_TITLE, WEBHOOKS_TITLE } from '../title.ts';
import { EditEndpoint, PauseOrResume, RemoveEndpoint, RotateSecret, SendTest } from './controls.tsx';
import { Deliveries } from './deliveries.tsx';
import { ReplayProgress } from './replay-progress.tsx';
import { ReplayRange } from './replay-range.tsx';

/** The heading shows the beginning of a long address; the facts below show all of it. */
const HEADING_MAX = 100;
/** Bars of the chart. */
const NEWEST = 50;

const shortened = (url: string) => (url.length > HEADING_MAX ? `${url.slice(0, HEADING_MAX)}…` : url);

export function Page() {
  const webhooks = useTexts(WEBHOOKS_TITLE);
  const title = useTexts(ENDPOINT_TITLE);
  const { client } = useAccount();
  const id = useParam('id');
  const endpoint = useQuery({
    queryKey: ['webhooks', id],
    queryFn: () => client.webhooks.get(id),
    refetchInterval: LIVE_MS,
  });
  return (
    <>
      <Trail steps={[{ to: '/webhooks', text: webhooks('title') }]} />
      {endpoint.data ? (
        <Shown key={endpoint.data.id} endpoint={endpoint.data} />
      ) : (
        <PageFrame title={title('title')}>
          {endpoint.error ? (
            <ErrorNotice error={endpoint.error} retry={() => void endpoint.refetch()} />
          ) : (
            <Loading />
          )}
        </PageFrame>
      )}
    </>
  );
}

function Shown({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useTexts(WEBHOOKS);
  const { time } = useFormats();
  const { may } = useAccount();
  const { id, url, pausedAt } = endpoint;
  const canChange = may('administer');
  const actions = (
    <>
      <ApiCall
        request={`GET /webhooks/${id}`}
        sdk={`const endpoint = await counterfoil.webhooks.get('${id}');`}
      />
      {canChange && (
        <>
          <PauseOrResume endpoint={endpoint} />
          <ReplayRange id={id} />
          <SendTest endpoint={endpoint} />
        </>
      )}
    </>
  );
  return (
    <PageFrame name={url} title={<bdi dir="ltr">{shortened(url)}</bdi>} actions={actions}>
      {pausedAt !== null && <p className="note">{t('pausedSince', { time: time(pausedAt) })}</p>}
      <div className="cards">
        <Facts endpoint={endpoint} />
        <div className="card-stack">
          <section className="card">
            <h2>{t('outcomes')}</h2>
            <NewestOutcomes id={id} count={NEWEST} />
          </section>
          {canChange && (
            <section className="card">
              <h2>{t('secretTitle')}</h2>
              <p className="quiet-text">{t('secretText')}</p>
              <div className="actions foot">
                <RotateSecret id={id} />
              </div>
            </section>
          )}
        </div>
      </div>
      <ReplayProgress id={id} />
      <Deliveries endpoint={endpoint} />
    </PageFrame>
  );
}

function Facts({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useTexts(WEBHOOKS);
  const { time } = useFormats();
  const { may } = useAccount();
  const { id, url, events, createdAt, pausedAt } = endpoint;
  return (
    <section className="card">
      <h2>{t('about')}</h2>
      <dl className="facts">
        <dt>{t('state')}</dt>
        <dd>
          <EndpointBadge pausedAt={pausedAt} />
        </dd>
        <dt>{t('url')}</dt>
        <dd>
          <bdi dir="ltr">{url}</bdi>
        </dd>
        <dt>{t('events')}</dt>
        <dd>
          {events.includes(EVERY_EVENT) ? (
            t('allEvents')
          ) : (
            <bdi dir="ltr">
              <code>{events.join(', ')}</code>
            </bdi>
          )}
        </dd>
        <dt>{t('id')}</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>{t('created')}</dt>
        <dd>{time(createdAt)}</dd>
      </dl>
      {may('administer') && (
        <div className="actions foot">
          <EditEndpoint endpoint={endpoint} />
          <RemoveEndpoint id={id} />
        </div>
      )}
    </section>
  );
}
