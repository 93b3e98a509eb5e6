import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { Progress } from '../../../parts/progress.tsx';
import { DELIVERIES } from '../delivery-messages.ts';

const PROGRESS_MS = 1_000;
const WHOLE = 100;

const isFinishedReplay = (replay: { readonly finishedAt?: string | null } | undefined): boolean =>
  typeof replay?.finishedAt === 'string';

/** The count is unknown if the address was made by hand. */
const shareOf = (done: number, count: number): { readonly value?: number } =>
  count > 0 ? { value: Math.min(WHOLE, (done / count) * WHOLE) } : {};

/** The progress of the replay in the address, which can be left: a link or the history lead back to it. */
export function ReplayProgress({ id }: { readonly id: string }) {
  const t = useTexts(DELIVERIES);
  const { number } = useFormats();
  const { client } = useAccount();
  const queries = useQueryClient();
  const { search, change } = useListQuery();
  const replayId = search['replay'];
  const count = Number(search['of']);
  const progress = useQuery({
    queryKey: ['webhooks', id, 'replay', replayId],
    queryFn: () => client.webhooks.replays.get(id, String(replayId)),
    enabled: replayId !== undefined,
    refetchInterval: ({ state }) => (isFinishedReplay(state.data) ? false : PROGRESS_MS),
  });
  const done = progress.data?.deliveries ?? 0;
  useEffect(() => {
    if (done > 0) void queries.invalidateQueries({ queryKey: ['webhooks', id, 'deliveries'] });
  }, [done, id, queries]);
  if (replayId === undefined) return null;
  const isFinished = isFinishedReplay(progress.data);
  const counts = { done: number(done), count: number(count > done ? count : done) };
  return (
    <section className="card replay" aria-label={t('replayTitle')}>
      {progress.error && <ErrorNotice error={progress.error} retry={() => void progress.refetch()} />}
      {progress.data && !isFinished && (
        <>
          <Progress label={t('replaying', counts)} {...shareOf(done, count)} />
          <p className="quiet-text">{t('leave')}</p>
        </>
      )}
      {isFinished && <p role="status">{t('replayFinished', counts)}</p>}
      {(isFinished || progress.error) && (
        <Button className="button small" onPress={() => change({ replay: undefined, of: undefined })}>
          {t('dismiss')}
        </Button>
      )}
    </section>
  );
}
