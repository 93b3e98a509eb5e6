import type { QueryOf, RowOf } from '@counterfoil/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { DocumentLink } from '../../../parts/document-link.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { filtersOf, queryText } from '../../../parts/filter-values.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../../parts/filters.tsx';
import { PAGE_SIZE, useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState } from '../../../parts/page.tsx';
import { MOVEMENT_TYPES } from '../effect.ts';
import { useWarehouses } from '../names.ts';
import type { StockRecord } from '../records.tsx';
import { STOCK } from '../texts.ts';

type Row = RowOf<'GET /inventory/movements'>;
type Query = NonNullable<QueryOf<'GET /inventory/movements'>>;

const FILTERS = ['movementType', 'reason'] as const;

interface MovementsProps {
  readonly record: StockRecord;
  /** The records of the product in all warehouses: transfers name them. */
  readonly siblings: readonly StockRecord[];
}

/** The movements of a stock record, with what there was before and after each. */
export function Movements({ record, siblings }: MovementsProps) {
  const t = useTexts(STOCK);
  const { client } = useAccount();
  const { offset, sortBy, sortOrder, search } = useListQuery();
  const filters = filtersOf(search, FILTERS);
  const query = {
    ...{ ...filters, inventoryId: record.id },
    ...(sortBy !== undefined && { sortBy }),
    ...(sortOrder !== undefined && { sortOrder }),
    ...{ limit: PAGE_SIZE, offset },
  } as unknown as Query;
  const movements = useQuery({
    queryKey: ['stock', 'movements', query],
    queryFn: async () => client.stock.movements(query),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(siblings);
  const isFiltered = Object.keys(filters).length > 0;
  const call = (
    <ApiCall
      request={`GET /inventory/movements?${queryText(query)}`}
      sdk={`const { data } = await counterfoil.stock.movements(${JSON.stringify(query)});`}
    />
  );
  return (
    <Section title={t('movements')} actions={call}>
      <Filters names={FILTERS}>
        <TextFilter name="reason" label={t('reason')} />
        <ChoiceFilter
          name="movementType"
          label={t('type')}
          options={MOVEMENT_TYPES.map((value) => ({ value, text: t(value) }))}
        />
      </Filters>
      {movements.error && <ErrorNotice error={movements.error} retry={() => void movements.refetch()} />}
      {movements.isPending && <Loading />}
      {movements.data && (
        <DataTable
          label={t('movements')}
          columns={columns}
          rows={movements.data.data}
          idOf={({ movement }) => movement.id}
          total={movements.data.pagination.total}
          empty={
            <EmptyState title={t(isFiltered ? 'noneFound' : 'noMovements')}>
              {!isFiltered && <p>{t('firstMovement')}</p>}
            </EmptyState>
          }
        />
      )}
    </Section>
  );
}

function useColumns(siblings: readonly StockRecord[]): readonly Column<Row>[] {
  const t = useTexts(STOCK);
  const { number, time } = useFormats();
  return [
    {
      ...{ id: 'time', title: t('time'), sort: 'createdAt' },
      cell: ({ movement }) => time(movement.createdAt),
    },
    {
      ...{ id: 'type', title: t('type'), sort: 'movementType' },
      cell: ({ movement }) => <span className="strong">{t(movement.movementType)}</span>,
    },
    {
      ...{ id: 'moved', title: t('moved'), sort: 'quantity', isNumber: true },
      cell: ({ movement }) => number(movement.quantity),
    },
    {
      ...{ id: 'change', title: t('change'), isNumber: true },
      cell: ({ movement }) => <Change before={movement.previousQuantity} after={movement.newQuantity} />,
    },
    {
      ...{ id: 'reserved', title: t('reservedChange'), isNumber: true },
      cell: ({ movement }) => (
        <Change before={movement.previousReservedQuantity} after={movement.newReservedQuantity} />
      ),
    },
    {
      ...{ id: 'price', title: t('price'), isNumber: true },
      cell: ({ movement }) => (movement.unitPrice === null ? '—' : number(movement.unitPrice)),
    },
    {
      ...{ id: 'reason', title: t('reason') },
      cell: ({ movement }) => <bdi className="wraps">{movement.reason ?? movement.notes ?? '—'}</bdi>,
    },
    {
      ...{ id: 'refers', title: t('refers') },
      cell: ({ movement }) => <Reference movement={movement} siblings={siblings} />,
    },
    { id: 'user', title: t('user'), cell: ({ user }) => <bdi className="clip">{user.name}</bdi> },
  ];
}

function Change({ before, after }: { readonly before: number; readonly after: number }) {
  const t = useTexts(STOCK);
  const { number } = useFormats();
  if (before === after) return <span className="quiet-text">{number(after)}</span>;
  return (
    <>
      <bdi>{number(before)}</bdi> {t('arrow')} <bdi className="strong">{number(after)}</bdi>
    </>
  );
}

interface ReferenceProps {
  readonly movement: Row['movement'];
  readonly siblings: readonly StockRecord[];
}

/** The cause of a movement: the other side of a transfer, or what the caller named. */
function Reference({ movement, siblings }: ReferenceProps) {
  const t = useTexts(STOCK);
  const { nameOf } = useWarehouses();
  const { counterpartInventoryId, referenceId, referenceType, documentId } = movement;
  const other = siblings.find(({ id }) => id === counterpartInventoryId);
  const isOut = movement.newQuantity < movement.previousQuantity;
  const named = [referenceType, referenceId === null ? null : `#${referenceId}`].filter(
    (part) => part !== null,
  );
  if (!other && named.length === 0 && documentId === null) return <>—</>;
  return (
    <>
      {other && (
        <Link
          to="/stock/$product/$warehouse"
          params={{ product: String(other.productId), warehouse: String(other.warehouseId) }}
        >
          {t(isOut ? 'into' : 'outOf', { warehouse: nameOf(other.warehouseId) })}
        </Link>
      )}{' '}
      {named.length > 0 && <bdi className="clip">{named.join(' ')}</bdi>}{' '}
      {documentId !== null && <DocumentLink id={documentId} />}
    </>
  );
}
