import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { ChoiceFilter, Filters } from '../../../parts/filters.tsx';
import { PAGE_SIZE, useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../../parts/page.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import { DOCUMENTS } from '../texts.ts';
import { Refusals } from './refusals.tsx';
import type { Retainer } from './runs.ts';
import { RETAINERS } from './texts.ts';
import { RETAINERS_TITLE } from './title.ts';

const STATES = ['runs', 'refused'] as const;
const stateOf = ({ refusal }: Retainer): (typeof STATES)[number] => (refusal === null ? 'runs' : 'refused');

/** All retainers that have not ended. The API answers with the whole list; its pages are made here. */
export function Page() {
  const title = useTexts(RETAINERS_TITLE)('title');
  const t = useTexts(RETAINERS);
  const { client, may } = useAccount();
  const { offset, search } = useListQuery();
  const retainers = useQuery({
    queryKey: ['retainers'],
    queryFn: async () => (await client.retainers.list()).data,
  });
  const columns = useColumns();
  const state = STATES.find((one) => one === search['state']);
  const rows = (retainers.data ?? []).filter((one) => state === undefined || stateOf(one) === state);
  const add = may('write') && (
    <Link to="/retainers/new" className="button primary">
      {t('add')}
    </Link>
  );
  const actions = (
    <>
      <ApiCall request="GET /retainers" sdk="const { data } = await counterfoil.retainers.list();" />
      {add}
    </>
  );
  return (
    <PageFrame title={title} text={t('text')} actions={actions}>
      <Filters names={['state']}>
        <ChoiceFilter
          name="state"
          label={t('state')}
          options={STATES.map((value) => ({ value, text: t(value) }))}
        />
      </Filters>
      {retainers.error && <ErrorNotice error={retainers.error} retry={() => void retainers.refetch()} />}
      {retainers.isPending && <Loading />}
      {retainers.data && (
        <div className="stack">
          <Refusals retainers={rows} />
          <DataTable
            label={title}
            columns={columns}
            rows={rows.slice(offset, offset + PAGE_SIZE)}
            idOf={({ id }) => id}
            total={rows.length}
            empty={
              <EmptyState title={t(state ? 'noneFound' : 'empty')}>
                {!state && <p>{t(add ? 'first' : 'firstViewer')}</p>}
                {!state && add}
              </EmptyState>
            }
          />
        </div>
      )}
    </PageFrame>
  );
}

function useColumns(): readonly Column<Retainer>[] {
  const t = useTexts(RETAINERS);
  const d = useTexts(DOCUMENTS);
  const { may } = useAccount();
  const { date, number } = useFormats();
  const columns: Column<Retainer>[] = [
    {
      ...{ id: 'client', title: t('client') },
      cell: ({ entity, items }) => (
        <>
          <Link to="/documents" search={{ entityId: entity.id }} className="strong">
            <bdi className="clip">{entity.name}</bdi>
          </Link>{' '}
          <bdi className="quiet-text clip">{items[0]?.description}</bdi>{' '}
          {items.length > 1 && (
            <span className="quiet-text">{t('more', { count: number(items.length - 1) })}</span>
          )}
        </>
      ),
    },
    { id: 'type', title: d('type'), cell: ({ documentType }) => d(documentType) },
    { id: 'every', title: t('every'), cell: ({ interval }) => t(interval) },
    { id: 'next', title: t('next'), cell: ({ nextRunDate }) => date(nextRunDate) },
    {
      ...{ id: 'last', title: t('last') },
      cell: ({ lastDocument }) =>
        lastDocument === null ? (
          <span className="quiet-text">{t('lastNone')}</span>
        ) : (
          <Link to="/documents/$id" params={{ id: lastDocument.visibleId }}>
            {d('number', { type: d(lastDocument.type), number: lastDocument.number })}
          </Link>
        ),
    },
    {
      ...{ id: 'state', title: t('state') },
      cell: (one) => <span className={one.refusal ? 'state bad' : 'state good'}>{t(stateOf(one))}</span>,
    },
  ];
  if (!may('write')) return columns;
  const end: Column<Retainer> = {
    ...{ id: 'end', title: t('end'), isTitleHidden: true },
    cell: (one) => <End retainer={one} />,
  };
  return [...columns, end];
}

function End({ retainer: { id, entity } }: { readonly retainer: Retainer }) {
  const t = useTexts(RETAINERS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const ending = useMutation({
    mutationFn: () => client.retainers.end(id),
    onSuccess: () => toasts.say(t('ended')),
    onError: (error) => toasts.fail(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['retainers'] }),
  });
  return (
    <Confirm
      label={t('end')}
      name={t('endName', { name: entity.name })}
      title={t('endQuestion', { name: entity.name })}
      onConfirm={() => ending.mutate()}
    >
      {t('endText')}
    </Confirm>
  );
}
