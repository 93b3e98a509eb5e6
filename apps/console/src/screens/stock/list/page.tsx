import type { QueryOf } from '@counterfoil/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { filtersOf, queryText } from '../../../parts/filter-values.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../../parts/filters.tsx';
import { PAGE_SIZE, useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../../parts/page.tsx';
import { useWarehouses } from '../names.ts';
import { useRecordColumns } from '../records.tsx';
import { STOCK } from '../texts.ts';
import { NewRecord, NewWarehouse } from './dialogs.tsx';
import { LowStock } from './low.tsx';
import { STOCK_TITLE } from './title.ts';

type Query = NonNullable<QueryOf<'GET /inventory'>>;

const FILTERS = ['productId', 'warehouseId', 'isLow'] as const;

export function Page() {
  const title = useTexts(STOCK_TITLE)('title');
  const t = useTexts(STOCK);
  const { client, may } = useAccount();
  const { offset, search } = useListQuery();
  const { all: warehouses } = useWarehouses();
  const [opened, setOpened] = useState<'record' | 'warehouse' | null>(null);
  const filters = filtersOf(search, FILTERS) as unknown as Query;
  const query = { ...filters, limit: PAGE_SIZE, offset };
  const records = useQuery({
    queryKey: ['stock', 'list', query],
    queryFn: async () => client.stock.list(query),
    placeholderData: keepPreviousData,
  });
  const page = records.data;
  const rows = page?.data ?? [];
  const columns = useRecordColumns(rows);
  const isFiltered = Object.keys(filters).length > 0;
  const buttons = may('write') && <Buttons hasWarehouse={warehouses.length > 0} onOpen={setOpened} />;
  const actions = (
    <>
      <ApiCall
        request={`GET /inventory?${queryText(query)}`}
        sdk={`const { data } = await counterfoil.stock.list(${JSON.stringify(query)});`}
      />
      {buttons}
    </>
  );
  const options = warehouses.map(({ id, name }) => ({ value: String(id), text: name.slice(0, 80) }));
  return (
    <PageFrame title={title} text={t('text')} actions={actions}>
      <Filters names={FILTERS}>
        <ChoiceFilter name="warehouseId" label={t('warehouse')} options={options} />
        <TextFilter name="productId" label={t('productId')} kind="number" />
        <ChoiceFilter
          name="isLow"
          label={t('low')}
          options={[
            { value: 'true', text: t('lowOnly') },
            { value: 'false', text: t('lowOthers') },
          ]}
        />
      </Filters>
      <div className="stack">
        {offset === 0 && search['isLow'] === undefined && <LowStock query={filters} />}
        <section>
          {rows.length > 0 && <h2 className="before">{t('all')}</h2>}
          {records.error && <ErrorNotice error={records.error} retry={() => void records.refetch()} />}
          {records.isPending && <Loading />}
          {page && (
            <DataTable
              label={t('all')}
              columns={columns}
              rows={rows}
              idOf={({ id }) => id}
              total={page.pagination.total}
              empty={<NoRecords isFiltered={isFiltered} buttons={buttons} />}
            />
          )}
        </section>
      </div>
      {opened === 'warehouse' && <NewWarehouse onClose={() => setOpened(null)} />}
      {opened === 'record' && <NewRecord onClose={() => setOpened(null)} />}
    </PageFrame>
  );
}

interface ButtonsProps {
  readonly hasWarehouse: boolean;
  readonly onOpen: (dialog: 'record' | 'warehouse') => void;
}

function Buttons({ hasWarehouse, onOpen }: ButtonsProps) {
  const t = useTexts(STOCK);
  return (
    <>
      <Button className="button" onPress={() => onOpen('warehouse')}>
        {t('addWarehouse')}
      </Button>
      {hasWarehouse && (
        <Button className="button primary" onPress={() => onOpen('record')}>
          {t('add')}
        </Button>
      )}
    </>
  );
}

interface NoRecordsProps {
  readonly isFiltered: boolean;
  readonly buttons: ReactNode;
}

function NoRecords({ isFiltered, buttons }: NoRecordsProps) {
  const t = useTexts(STOCK);
  if (isFiltered) return <EmptyState title={t('noneFound')} />;
  return (
    <EmptyState title={t('empty')}>
      <p>{t(buttons ? 'first' : 'firstViewer')}</p>
      <div className="actions centred">{buttons}</div>
    </EmptyState>
  );
}
