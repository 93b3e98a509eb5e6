import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PAGE_SIZE, useListQuery } from '../../parts/list-query.ts';
import { Loading } from '../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../parts/page.tsx';
import type { Endpoint } from './causes.ts';
import { EVERY_EVENT } from './endpoint-fields.tsx';
import { LIVE_MS } from './live.ts';
import { NewestOutcomes } from './newest-outcomes.tsx';
import { Register } from './register.tsx';
import { EndpointBadge } from './state-badge.tsx';
import { WEBHOOKS } from './texts.ts';
import { WEBHOOKS_TITLE } from './title.ts';

const DAY_MS = 86_400_000;
const dayAgo = (): string => new Date(Date.now() - DAY_MS).toISOString();
/** Bars of one row. */
const NEWEST = 24;

export function Page() {
  const title = useTexts(WEBHOOKS_TITLE);
  const t = useTexts(WEBHOOKS);
  const { client, may } = useAccount();
  const { offset } = useListQuery();
  const query = { limit: PAGE_SIZE, offset };
  const endpoints = useQuery({
    queryKey: ['webhooks', 'list', query],
    queryFn: async () => client.webhooks.list(query),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
  });
  const columns = useColumns();
  const actions = (
    <>
      <ApiCall
        request={`GET /webhooks?limit=${PAGE_SIZE}&offset=${offset}`}
        sdk={'for await (const endpoint of counterfoil.webhooks.list()) console.log(endpoint.url);'}
      />
      <Link className="button" to="/webhooks/events">
        {t('catalogue')}
      </Link>
      {may('administer') && <Register />}
    </>
  );
  return (
    <PageFrame title={title('title')} text={t('text')} actions={actions}>
      {endpoints.error && <ErrorNotice error={endpoints.error} retry={() => void endpoints.refetch()} />}
      {endpoints.isPending && <Loading />}
      {endpoints.data && (
        <DataTable
          label={title('title')}
          columns={columns}
          rows={endpoints.data.data}
          idOf={({ id }) => id}
          total={endpoints.data.pagination.total}
          empty={
            <EmptyState title={t('empty')}>
              <p>{t('emptyText')}</p>
            </EmptyState>
          }
        />
      )}
    </PageFrame>
  );
}

function useColumns(): readonly Column<Endpoint>[] {
  const t = useTexts(WEBHOOKS);
  const { date, number } = useFormats();
  return [
    {
      id: 'url',
      title: t('url'),
      cell: ({ id, url }) => (
        <Link className="address strong" to={`/webhooks/${id}`} title={url}>
          <bdi dir="ltr">{url}</bdi>
        </Link>
      ),
    },
    { id: 'state', title: t('state'), cell: ({ pausedAt }) => <EndpointBadge pausedAt={pausedAt} /> },
    { id: 'outcomes', title: t('outcomes'), cell: ({ id }) => <NewestOutcomes id={id} count={NEWEST} /> },
    {
      id: 'events',
      title: t('events'),
      cell: ({ events }) => {
        if (events.includes(EVERY_EVENT)) return t('allEvents');
        return t('countedEvents', { count: number(events.length) });
      },
    },
    {
      id: 'dropped',
      title: t('dropped'),
      isNumber: true,
      cell: ({ id, droppedInLastDay: count }) =>
        count === 0 ? (
          '—'
        ) : (
          <Link className="problem" to={`/webhooks/${id}`} search={{ state: 'dropped', since: dayAgo() }}>
            {number(count)}
          </Link>
        ),
    },
    { id: 'created', title: t('created'), cell: ({ createdAt }) => date(createdAt), isNumber: true },
  ];
}
