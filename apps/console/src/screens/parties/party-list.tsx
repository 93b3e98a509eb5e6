import type { AnswerOf, QueryOf, RowOf } from '@counterfoil/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { filtersOf, queryText } from '../../parts/filter-values.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.tsx';
import { PAGE_SIZE, useListQuery } from '../../parts/list-query.ts';
import { useLongList } from '../../parts/long-list.ts';
import { LongTable } from '../../parts/long-table.tsx';
import { EmptyState, PageFrame } from '../../parts/page.tsx';
import { CLIENTS_TITLE } from './clients/title.ts';
import type { PartyKind } from './party-fields.ts';
import { NewParty } from './party-form.tsx';
import { PARTIES } from './texts.ts';
import { VENDORS_TITLE } from './vendors/title.ts';

type Row = RowOf<'GET /vendors'> | RowOf<'GET /clients'>;
type Query = NonNullable<QueryOf<'GET /vendors'>>;
type Rows = Pick<AnswerOf<'GET /vendors'>, 'pagination'> & { readonly data: readonly Row[] };

const FILTERS = ['search', 'type', 'email', 'taxId', 'hasContacts'] as const;
const TYPES = ['COMPANY', 'MURSHE', 'PATOOR'] as const;

/** The vendors or the clients of the company. */
export function PartyList({ kind }: { readonly kind: PartyKind }) {
  const title = useTexts(kind === 'vendors' ? VENDORS_TITLE : CLIENTS_TITLE)('title');
  const t = useTexts(PARTIES);
  const { client, may } = useAccount();
  const { offset, sortBy, sortOrder, search } = useListQuery();
  const [isAdding, setAdding] = useState(false);
  const filters = filtersOf(search, FILTERS);
  const isFiltered = Object.keys(filters).length > 0;
  const narrowed = {
    ...filters,
    ...(sortBy !== undefined && { sortBy }),
    ...(sortOrder !== undefined && { sortOrder }),
  } as unknown as Query;
  const query: Query = { ...narrowed, limit: PAGE_SIZE, offset };
  const parties = useLongList([kind, 'list', narrowed], async (window): Promise<Rows> =>
    client[kind].list({ ...narrowed, ...window }),
  );
  const columns = useColumns(kind);
  const add = may('write') && (
    <Button className="button primary" onPress={() => setAdding(true)}>
      {t(`add_${kind}`)}
    </Button>
  );
  const actions = (
    <>
      <ApiCall
        request={`GET /${kind}?${queryText(query)}`}
        sdk={`const { data } = await counterfoil.${kind}.list(${JSON.stringify(query)});`}
      />
      {add}
    </>
  );
  const empty = isFiltered ? (
    <EmptyState title={t('noneFound')}>
      <p>{t('noneFoundText')}</p>
    </EmptyState>
  ) : (
    <EmptyState title={t(`empty_${kind}`)}>
      <p>{t(`first_${kind}`)}</p>
      {add}
    </EmptyState>
  );
  return (
    <PageFrame title={title} text={t(`text_${kind}`)} actions={actions}>
      <PartyFilters />
      <LongTable label={title} columns={columns} list={parties} idOf={({ id }) => id} empty={empty} />
      {isAdding && <NewParty kind={kind} onClose={() => setAdding(false)} />}
    </PageFrame>
  );
}

function PartyFilters() {
  const t = useTexts(PARTIES);
  return (
    <Filters names={FILTERS}>
      <TextFilter name="search" label={t('search')} />
      <ChoiceFilter
        name="type"
        label={t('type')}
        options={TYPES.map((value) => ({ value, text: t(value) }))}
      />
      <ChoiceFilter
        name="hasContacts"
        label={t('hasContacts')}
        options={[
          { value: 'true', text: t('with') },
          { value: 'false', text: t('without') },
        ]}
      />
      <TextFilter name="taxId" label={t('taxId')} kind="code" />
      <TextFilter name="email" label={t('email')} kind="code" />
    </Filters>
  );
}

function useColumns(kind: PartyKind): readonly Column<Row>[] {
  const t = useTexts(PARTIES);
  const path = kind === 'vendors' ? '/vendors/$id' : '/clients/$id';
  return [
    {
      ...{ id: 'name', title: t('name'), sort: 'name' },
      cell: ({ name, visibleId }) => (
        <Link to={path} params={{ id: visibleId }} className="strong">
          <bdi className="clip">{name}</bdi>
        </Link>
      ),
    },
    { id: 'taxId', title: t('taxId'), sort: 'taxId', cell: ({ taxId }) => <bdi>{taxId}</bdi> },
    { id: 'type', title: t('type'), sort: 'type', cell: ({ type }) => t(type) },
    {
      ...{ id: 'email', title: t('email'), sort: 'email' },
      cell: ({ email }) => <bdi className="clip">{email ?? '—'}</bdi>,
    },
    {
      ...{ id: 'phone', title: t('phoneNumber') },
      cell: ({ phoneNumber }) => <bdi>{phoneNumber ?? '—'}</bdi>,
    },
  ];
}
