import type { QueryOf } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { PlainTable } from '../../../parts/plain-table.tsx';
import { byShortage } from '../effect.ts';
import { type StockRecord, useRecordColumns } from '../records.tsx';
import { STOCK } from '../texts.ts';

/** Low records that are compared: one call. */
const MOST = 200;
const SHOWN = 20;

type Query = NonNullable<QueryOf<'GET /inventory'>>;

/** The records that are low, the shortest first. */
export function LowStock({ query }: { readonly query: Query }) {
  const t = useTexts(STOCK);
  const { number } = useFormats();
  const { client } = useAccount();
  const found = useQuery({
    queryKey: ['stock', 'low', query],
    queryFn: async () => client.stock.list({ ...query, isLow: true, limit: MOST }),
  });
  const low = [...(found.data?.data ?? [])].sort(byShortage).slice(0, SHOWN);
  const total = found.data?.pagination.total ?? 0;
  return (
    <Section title={t('low')}>
      {found.error && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {found.data && <p className="quiet-text before">{t(low.length > 0 ? 'lowText' : 'lowNone')}</p>}
      {low.length > 0 && <LowTable records={low} />}
      {total > low.length && (
        <p className="after">
          <Link to="/stock" search={{ ...query, isLow: true }}>
            {t('lowMore', { count: number(total) })}
          </Link>
        </p>
      )}
    </Section>
  );
}

function LowTable({ records }: { readonly records: readonly StockRecord[] }) {
  const t = useTexts(STOCK);
  const columns = useRecordColumns(records);
  return <PlainTable label={t('low')} columns={columns} rows={records} idOf={({ id }) => id} />;
}
