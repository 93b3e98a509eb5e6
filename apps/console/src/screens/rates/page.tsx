import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { guide } from '../../app/addresses.ts';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Section } from '../../parts/facts.tsx';
import { Choice } from '../../parts/fields.tsx';
import { ChoiceFilter, Filters } from '../../parts/filters.tsx';
import { useListQuery } from '../../parts/list-query.ts';
import { Loading } from '../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../parts/page.tsx';
import { type PlainColumn, PlainTable } from '../../parts/plain-table.tsx';
import { useRateColumns } from './columns.tsx';
import { daysBefore, OverTime, PERIODS } from './over-time.tsx';
import { lastOfEach, type Rate } from './rates.ts';
import { SaveRate } from './save-rate.tsx';
import { RATES } from './texts.ts';
import { RATES_TITLE } from './title.ts';

/** The rates that are looked through for currencies: some weeks of the Bank of Israel. */
const NEWEST = 200;

interface View {
  /** Null for the list of currencies. */
  readonly currency: string | null;
  readonly days: (typeof PERIODS)[number];
}

function useView(): View {
  const { search } = useListQuery();
  return {
    currency: typeof search['currency'] === 'string' ? search['currency'] : null,
    days: PERIODS.find((one) => one === Number(search['days'])) ?? PERIODS[1],
  };
}

export function Page() {
  const title = useTexts(RATES_TITLE)('title');
  const t = useTexts(RATES);
  const { client, may } = useAccount();
  const view = useView();
  const { currency } = view;
  const newest = useQuery({
    queryKey: ['rates', 'newest'],
    queryFn: async () => (await client.exchangeRates.list({ limit: NEWEST })).data,
  });
  const last = lastOfEach(newest.data ?? []);
  const maySave = may('set-rates');
  const actions = (
    <>
      <Call view={view} />
      {maySave && <SaveRate currency={currency} />}
    </>
  );
  return (
    <PageFrame title={title} text={t('text')} actions={actions}>
      <RateFilters view={view} known={last.map((rate) => rate.currency)} />
      {newest.error && <ErrorNotice error={newest.error} retry={() => void newest.refetch()} />}
      {newest.isPending && <Loading />}
      {currency !== null && <OverTime {...view} currency={currency} />}
      {currency === null && newest.data && <Currencies rates={last} maySave={maySave} />}
    </PageFrame>
  );
}

function Call({ view: { currency, days } }: { readonly view: View }) {
  if (currency === null)
    return (
      <ApiCall
        request={`GET /exchange-rates?limit=${NEWEST}`}
        sdk={`const { data } = await counterfoil.exchangeRates.list({ limit: ${NEWEST} });`}
      />
    );
  const startDate = daysBefore(days);
  return (
    <ApiCall
      request={`GET /exchange-rates?currency=${currency}&startDate=${startDate}`}
      sdk={`for await (const rate of counterfoil.exchangeRates.list({ currency: '${currency}', startDate: '${startDate}' }))\n  console.log(rate.date, rate.rate);`}
    />
  );
}

interface RateFiltersProps {
  readonly view: View;
  readonly known: readonly string[];
}

function RateFilters({ view: { currency, days }, known }: RateFiltersProps) {
  const t = useTexts(RATES);
  const { number } = useFormats();
  const { change } = useListQuery();
  const codes = [...new Set([...known, ...(currency === null ? [] : [currency])])].sort();
  if (codes.length === 0) return null;
  return (
    <Filters names={['currency', 'days']}>
      <ChoiceFilter
        name="currency"
        label={t('currency')}
        options={codes.map((value) => ({ value, text: value }))}
      />
      {currency !== null && (
        <Choice
          label={t('period')}
          value={String(days)}
          onChange={(value) => change({ days: Number(value) })}
          options={PERIODS.map((count) => ({
            ...{ value: String(count), text: t('days', { count: number(count) }) },
          }))}
        />
      )}
    </Filters>
  );
}

function NoRates({ maySave }: { readonly maySave: boolean }) {
  const t = useTexts(RATES);
  return (
    <EmptyState title={t('empty')}>
      <p>
        {t(maySave ? 'first' : 'firstViewer')} <a href={guide('exchange-rates')}>{t('how')}</a>
      </p>
    </EmptyState>
  );
}

interface CurrenciesProps {
  readonly rates: readonly Rate[];
  readonly maySave: boolean;
}

function Currencies({ rates, maySave }: CurrenciesProps) {
  const t = useTexts(RATES);
  const { date, number } = useFormats();
  const { source, unit, rate: value } = useRateColumns();
  const columns: readonly PlainColumn<Rate>[] = [
    {
      ...{ id: 'currency', title: t('currency') },
      cell: ({ currency }) => (
        <Link to="/rates" search={{ currency }} className="strong">
          {currency}
        </Link>
      ),
    },
    { id: 'date', title: t('date'), cell: (rate) => date(rate.date) },
    source,
    unit,
    value,
  ];
  if (rates.length === 0) return <NoRates maySave={maySave} />;
  return (
    <Section title={t('currencies')}>
      <p className="quiet-text before">{t('newest', { count: number(NEWEST) })}</p>
      <PlainTable label={t('currencies')} columns={columns} rows={rates} idOf={({ currency }) => currency} />
    </Section>
  );
}
