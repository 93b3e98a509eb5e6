import type { AnswerOf } from '@counterfoil/sdk';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { filtersOf, queryText } from '../../../parts/filter-values.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../../parts/filters.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { useParam } from '../../../parts/params.ts';
import { saveFile } from '../../../parts/save-file.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { todayInIsrael } from '../../../parts/today.ts';
import { Lines } from './lines.tsx';
import { STATEMENT } from './texts.ts';

type Statement = AnswerOf<'GET /clients/id/{visibleId}/statement'>;

const FILTERS = ['from', 'to', 'currency'] as const;
const AGES = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'over90', 'total'] as const;

/** A client's account over a period: this year, unless the address says otherwise. */
export function Page() {
  const t = useTexts(STATEMENT);
  const { client } = useAccount();
  const id = useParam('id');
  const query = usePeriod();
  const party = useQuery({ queryKey: ['clients', 'one', id], queryFn: () => client.clients.get(id) });
  const found = useQuery({
    queryKey: ['clients', 'statement', id, query],
    queryFn: () => client.clients.statement(id, query),
    placeholderData: keepPreviousData,
  });
  const actions = (
    <>
      <ApiCall
        request={`GET /clients/id/${id}/statement?${queryText(query)}`}
        sdk={`await counterfoil.clients.statement(${JSON.stringify(id)}, ${JSON.stringify(query)});`}
      />
      <SavePdf id={id} query={query} />
    </>
  );
  return (
    <PageFrame title={t('of', { name: party.data?.name ?? '' })} actions={actions}>
      <Period query={query} currencies={found.data?.currencies ?? []} />
      {found.error && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {found.data && !found.error && <Parts statement={found.data} />}
    </PageFrame>
  );
}

type Query = Readonly<{ from: string; to: string; currency?: string }>;

function usePeriod(): Query {
  const { search } = useListQuery();
  const today = todayInIsrael();
  return { from: `${today.slice(0, 4)}-01-01`, to: today, ...filtersOf(search, FILTERS) };
}

function SavePdf({ id, query }: { readonly id: string; readonly query: Query }) {
  const t = useTexts(STATEMENT);
  const { client } = useAccount();
  const toasts = useToasts();
  const saving = useMutation({
    mutationFn: async () =>
      saveFile(await client.clients.statementPdf(id, query), `statement-${query.from}-${query.to}.pdf`),
    onError: (error) => toasts.fail(error),
  });
  return (
    <Button className="button" onPress={() => saving.mutate()} isDisabled={saving.isPending}>
      {t('pdf')}
    </Button>
  );
}

interface PeriodProps {
  readonly query: Query;
  readonly currencies: readonly string[];
}

function Period({ query, currencies }: PeriodProps) {
  const t = useTexts(STATEMENT);
  return (
    <Filters names={FILTERS}>
      <TextFilter name="from" label={t('from')} kind="date" standard={query.from} />
      <TextFilter name="to" label={t('to')} kind="date" standard={query.to} />
      {currencies.length > 1 && (
        <ChoiceFilter
          name="currency"
          label={t('currency')}
          options={currencies.map((value) => ({ value, text: value }))}
        />
      )}
    </Filters>
  );
}

function Parts({ statement }: { readonly statement: Statement }) {
  const t = useTexts(STATEMENT);
  const { money, date } = useFormats();
  const { currency, ageing, lines, openingBalance, closingBalance, unallocatedCredit } = statement;
  return (
    <div className="stack">
      <Section title={t('lines')}>
        {lines.length === 0 ? <p className="quiet-text">{t('none')}</p> : <Lines of={statement} />}
      </Section>
      <div className="split">
        <Section title={t('balances')}>
          <Facts
            facts={[
              { name: t('opening'), value: money(openingBalance, currency) },
              { name: t('closingBalance'), value: money(closingBalance, currency) },
              { name: t('unallocated'), value: money(unallocatedCredit, currency) },
            ]}
          />
        </Section>
        <Section title={t('ageing', { date: date(ageing.asOf) })}>
          <Facts facts={AGES.map((age) => ({ name: t(age), value: money(ageing[age], currency) }))} />
        </Section>
      </div>
    </div>
  );
}
