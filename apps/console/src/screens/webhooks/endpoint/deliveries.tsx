import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import type { Column } from '../../../parts/data-table.tsx';
import { PAGE_SIZE, useListQuery } from '../../../parts/list-query.ts';
import { useLongList } from '../../../parts/long-list.ts';
import { LongTable } from '../../../parts/long-table.tsx';
import { EmptyState } from '../../../parts/page.tsx';
import { causeOf, type Delivery, type Endpoint } from '../causes.ts';
import { CAUSES } from '../cause-messages.ts';
import { queryText } from '../../../parts/filter-values.ts';
import { deliveryFiltersOf } from '../delivery-filters.ts';
import { DELIVERIES } from '../delivery-messages.ts';
import { liveEvery } from '../live.ts';
import { ReplayOne } from '../replay-one.tsx';
import { DeliveryBadge } from '../state-badge.tsx';
import { DeliveryFilters } from './filters.tsx';

/** The deliveries of an endpoint, newest first. The first page looks for news. */
export function Deliveries({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useTexts(DELIVERIES);
  const { client } = useAccount();
  const { offset, search } = useListQuery();
  const { id } = endpoint;
  const filters = deliveryFiltersOf(search);
  const query = { ...filters, limit: PAGE_SIZE, offset };
  const deliveries = useLongList(
    ['webhooks', id, 'deliveries', filters],
    async (window) => client.webhooks.deliveries.list(id, { ...filters, ...window }),
    { refetchInterval: liveEvery },
  );
  const columns = useColumns(endpoint);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <section className="deliveries">
      <header>
        <h2>{t('deliveries')}</h2>
        {offset === 0 && (
          <span className="live" title={t('liveText')}>
            {t('live')}
          </span>
        )}
        <span className="space" />
        <ApiCall
          request={`GET /webhooks/${id}/deliveries?${queryText(query)}`}
          sdk={`for await (const delivery of counterfoil.webhooks.deliveries.list('${id}', ${JSON.stringify(filters)}))\n  console.log(delivery.eventType, delivery.state);`}
        />
      </header>
      <DeliveryFilters />
      <LongTable
        label={t('deliveries')}
        columns={columns}
        list={deliveries}
        idOf={(row) => row.id}
        empty={
          <EmptyState title={isFiltered ? t('noMatch') : t('empty')}>
            {!isFiltered && <p>{t('emptyText')}</p>}
          </EmptyState>
        }
      />
    </section>
  );
}

function useColumns({ id: endpointId, pausedAt }: Endpoint): readonly Column<Delivery>[] {
  const t = useTexts(DELIVERIES);
  const why = useTexts(CAUSES);
  const { time, number } = useFormats();
  const { may } = useAccount();
  const columns: Column<Delivery>[] = [
    {
      id: 'event',
      title: t('event'),
      cell: ({ id, eventType: type }) => (
        <Link to={`/webhooks/${endpointId}/deliveries/${id}`} aria-label={t('open', { id, type })}>
          <code className="strong">{type}</code>
        </Link>
      ),
    },
    { id: 'state', title: t('state'), cell: ({ state }) => <DeliveryBadge state={state} /> },
    {
      id: 'cause',
      title: t('cause'),
      cell: (delivery) => {
        const cause = causeOf(delivery, pausedAt !== null);
        return cause && <bdi>{why(cause.key, cause.values)}</bdi>;
      },
    },
    {
      id: 'attempts',
      title: t('attempts'),
      cell: ({ attempts }) => number(attempts.at(-1)?.attempt ?? 0),
      isNumber: true,
    },
    { id: 'created', title: t('created'), cell: ({ createdAt }) => time(createdAt) },
    {
      id: 'next',
      title: t('nextAttempt'),
      cell: ({ nextAttemptAt }) => nextAttemptAt !== null && pausedAt === null && time(nextAttemptAt),
    },
  ];
  if (!may('administer')) return columns;
  const replay: Column<Delivery> = {
    id: 'replay',
    title: t('replay'),
    isTitleHidden: true,
    cell: (delivery) => <ReplayOne endpointId={endpointId} delivery={delivery} look="small" />,
  };
  return [...columns, replay];
}
