import { isCounterfoilError, type RowOf } from '@counterfoil/sdk';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { STOCK } from './texts.ts';

export type Warehouse = RowOf<'GET /warehouses'>;

const KEPT_MS = 60_000;

/** The warehouses of the company: all in one answer. */
export function useWarehouses() {
  const t = useTexts(STOCK);
  const { client } = useAccount();
  const { data } = useQuery({
    queryKey: ['warehouses'],
    queryFn: async () => (await client.warehouses.list()).data,
    staleTime: KEPT_MS,
  });
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return { all: data ?? [], nameOf: (id: number) => names.get(id) ?? t('unknownWarehouse', { id }) };
}

/** Names of the products of a page, each read once. */
export function useProducts(ids: readonly number[]) {
  const t = useTexts(STOCK);
  const { client } = useAccount();
  const found = useQueries({
    queries: [...new Set(ids)].map((id) => ({
      queryKey: ['products', 'one', id],
      queryFn: async () =>
        client.products.get(id).catch((error: unknown) => {
          if (isCounterfoilError(error, 'NOT_FOUND')) return null;
          throw error;
        }),
      staleTime: KEPT_MS,
    })),
  });
  const products = new Map(found.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])));
  return {
    nameOf: (id: number) => products.get(id)?.name ?? t('unknownProduct', { id }),
    detailOf: (id: number) => products.get(id)?.sku,
    unitOf: (id: number) => products.get(id)?.unit ?? null,
  };
}
