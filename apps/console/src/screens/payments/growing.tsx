import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PAGE_SIZE } from '../../parts/list-query.ts';
import { Loading } from '../../parts/loading.tsx';
import { PAYMENTS } from './texts.ts';

interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** A list without a total (contract §2.7): it grows, until a page is short. */
export function useGrowing<Row>(key: string, read: (window: Window) => Promise<readonly Row[]>) {
  const list = useInfiniteQuery({
    queryKey: ['gateway', key],
    queryFn: ({ pageParam }) => read({ limit: PAGE_SIZE, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (last, _all, offset) => (last.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE),
  });
  return { ...list, rows: list.data?.pages.flat() };
}

interface GrowingProps {
  readonly list: Pick<
    ReturnType<typeof useGrowing>,
    'error' | 'isPending' | 'isFetching' | 'hasNextPage' | 'fetchNextPage' | 'refetch'
  >;
  readonly children: ReactNode;
}

export function Growing({ list, children }: GrowingProps) {
  const t = useTexts(PAYMENTS);
  return (
    <>
      {list.error && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {children}
      {list.hasNextPage && (
        <div className="actions centred after">
          <Button className="button" isDisabled={list.isFetching} onPress={() => void list.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  );
}
