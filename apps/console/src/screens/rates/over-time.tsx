import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Section } from '../../parts/facts.tsx';
import { Loading } from '../../parts/loading.tsx';
import { EmptyState } from '../../parts/page.tsx';
import { type PlainColumn, PlainTable } from '../../parts/plain-table.tsx';
import { todayInIsrael } from '../../parts/today.ts';
import { useRateColumns } from './columns.tsx';
import { type Rate, seriesOf } from './rates.ts';
import { RATES } from './texts.ts';

/** A file of its own, with D3: the table does not wait for it. */
const LineChart = lazy(async () => ({
  default: (await import('../../parts/line-chart.tsx')).LineChart,
}));

/** In days. */
export const PERIODS = [30, 90, 365, 1_095] as const;
/** Five calls of 200. */
const MOST = 1_000;
const DAY_MS = 86_400_000;

export const daysBefore = (days: number): string => todayInIsrael(new Date(Date.now() - days * DAY_MS));

interface OverTimeProps {
  readonly currency: string;
  readonly days: number;
}

/** The rates of one currency: a chart, and the table that has all its values. */
export function OverTime({ currency, days }: OverTimeProps) {
  const t = useTexts(RATES);
  const { number } = useFormats();
  const { client } = useAccount();
  const rates = useQuery({
    queryKey: ['rates', 'of', currency, days],
    queryFn: async ({ signal }) => {
      const found: Rate[] = [];
      const list = client.exchangeRates.list({ currency, startDate: daysBefore(days) }, { signal });
      for await (const { data, pagination } of list.pages()) {
        found.push(...data);
        if (found.length >= MOST) return { found, isPartly: pagination.hasMore };
      }
      return { found, isPartly: false };
    },
  });
  if (rates.error) return <ErrorNotice error={rates.error} retry={() => void rates.refetch()} />;
  if (!rates.data) return <Loading />;
  const { found, isPartly } = rates.data;
  if (found.length === 0)
    return (
      <EmptyState title={t('none', { currency })}>
        <p>{t('noneText')}</p>
      </EmptyState>
    );
  return (
    <div className="stack">
      <Section title={t('chart', { currency })}>
        <Chart currency={currency} rates={found} />
        {isPartly && <p className="note after">{t('partly', { count: number(MOST) })}</p>}
      </Section>
      <Values rates={found} />
    </div>
  );
}

interface ChartProps {
  readonly currency: string;
  readonly rates: readonly Rate[];
}

function Chart({ currency, rates }: ChartProps) {
  const t = useTexts(RATES);
  const { date, rate } = useFormats();
  const series = seriesOf(rates, t);
  const values = series.flatMap(({ points }) => points.map(({ value }) => value));
  const label = t('chartLabel', {
    ...{ currency, from: date(rates.at(-1)?.date ?? ''), to: date(rates[0]?.date ?? '') },
    ...{ low: rate(Math.min(...values)), high: rate(Math.max(...values)), last: rate(rates[0]?.rate ?? 0) },
  });
  return (
    <Suspense fallback={<Loading />}>
      <LineChart label={label} series={series} valueText={rate} dayText={date} />
    </Suspense>
  );
}

function Values({ rates }: { readonly rates: readonly Rate[] }) {
  const t = useTexts(RATES);
  const { date, time } = useFormats();
  const { source, unit, rate: value } = useRateColumns();
  const columns: readonly PlainColumn<Rate>[] = [
    { id: 'date', title: t('date'), cell: (rate) => <span className="strong">{date(rate.date)}</span> },
    source,
    {
      ...{ id: 'revised', title: t('revised') },
      cell: ({ createdAt, updatedAt }) => (createdAt === updatedAt ? '—' : time(updatedAt)),
    },
    unit,
    value,
  ];
  return (
    <Section title={t('values')}>
      {rates.some(({ source }) => source === 'company') && <p className="quiet-text before">{t('counts')}</p>}
      <div className="tall">
        <PlainTable label={t('values')} columns={columns} rows={rates} idOf={({ id }) => id} />
      </div>
    </Section>
  );
}
