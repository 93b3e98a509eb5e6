import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAccount } from '../../../app/session.tsx';
import type { ChangedDocument, ChangesPage } from './wording.ts';

const BATCH = 200;
/** Changes that are read at once, in five calls: the newest ones are at the end. A multiple of a batch. */
const READ_MAX = 5 * BATCH;
/** How often the end of the feed is asked for news. */
const NEWS_MS = 15_000;

/** Sweeps the change feed from a time on, and goes on by its cursor where it ended. */
export function useChanges(since: string) {
  const { client } = useAccount();
  const feed = useInfiniteQuery({
    // Not below `documents`: an act on a document does not sweep again from the beginning.
    queryKey: ['changes', since],
    queryFn: async ({ pageParam: start, signal }): Promise<ChangesPage> => {
      const data: ChangedDocument[] = [];
      let checkpoint = start;
      const sweep = client.documents.changes({ checkpoint, since, limit: BATCH }, { signal });
      for await (const change of sweep) {
        data.push(change.document);
        ({ checkpoint } = change);
        if (data.length === READ_MAX) return { data, checkpoint, hasMore: true };
      }
      return { data, checkpoint, hasMore: false };
    },
    initialPageParam: null as string | null,
    // At the end of the feed, its cursor leads to later changes.
    getNextPageParam: ({ checkpoint }) => checkpoint,
    staleTime: Infinity,
  });
  const { data, fetchNextPage, refetch, error } = feed;
  const last = data?.pages.at(-1);
  const hasMore = last?.hasMore ?? false;
  const isAtEnd = last !== undefined && !hasMore && !error;
  // Before its first change, a feed has no cursor.
  const readOn = last?.checkpoint === null ? refetch : fetchNextPage;
  useEffect(() => {
    if (!isAtEnd) return undefined;
    const timer = setInterval(() => void readOn(), NEWS_MS);
    return () => clearInterval(timer);
  }, [isAtEnd, readOn]);
  return { ...feed, pages: data?.pages ?? [], hasMore };
}
