import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Explained } from '../../../parts/explained.ts';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { FormButton } from '../../../parts/form-dialog.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { type DeliveryState, STATES } from '../delivery-filters.ts';
import { DELIVERIES } from '../delivery-messages.ts';
import { isoTime, localTime } from '../../../parts/local-time.ts';
import { useSendOnce } from '../../../parts/send-once.ts';

const DAY_MS = 24 * 60 * 60_000;
const dayAgo = () => localTime(new Date(Date.now() - DAY_MS).toISOString());
const REPLAYED = STATES.filter((state) => state !== 'pending');

/** The deliveries that are sent again. */
export interface ReplayedRange {
  readonly since: string;
  readonly until?: string;
  readonly state?: DeliveryState;
}

/** Counts the deliveries of a time, and sends them again. The address keeps the replay, whose progress the page shows. */
export function ReplayRange({ id }: { readonly id: string }) {
  const t = useTexts(DELIVERIES);
  const { client } = useAccount();
  const { change } = useListQuery();
  const send = useSendOnce();
  const [since, setSince] = useState(dayAgo);
  const [until, setUntil] = useState('');
  const [state, setState] = useState<string>('dropped');
  const from = isoTime(since);
  const to = isoTime(until);
  const range = from === undefined ? null : { since: from, ...(to && { until: to }), ...stateOf(state) };
  const count = useCount(id, range);
  const start = async () => {
    if (!range) throw new Explained(t('sinceMissing'));
    const content = { id, ...range };
    const { replayId } = await send(content, (options) => client.webhooks.replays.create(id, range, options));
    change({ replay: replayId, of: count.data });
  };
  return (
    <FormButton
      size="medium"
      label={t('replayRange')}
      title={t('replayTitle')}
      submit={t('start')}
      isDisabled={!count.data}
      onSubmit={start}
      call={() => ({
        request: `POST /webhooks/${id}/replay`,
        sdk: 'webhooks.replays.create',
        ids: [id],
        body: range ?? {},
      })}
    >
      <p className="quiet-text">{t('replayText')}</p>
      <div className="field-row">
        <TextInput kind="time" label={t('since')} value={since} isRequired onChange={setSince} />
        <TextInput kind="time" label={t('until')} value={until} help={t('untilHelp')} onChange={setUntil} />
      </div>
      <Choice
        label={t('state')}
        value={state}
        options={[
          ...REPLAYED.map((one) => ({ value: one, text: t(one) })),
          { value: '', text: t('allButPending') },
        ]}
        onChange={setState}
      />
      {count.error && <ErrorNotice error={count.error} retry={() => void count.refetch()} />}
      <Matching count={count.data} isCounting={count.isFetching} />
      {count.data === 0 && range && state === 'dropped' && <StillTried id={id} range={range} />}
    </FormButton>
  );
}

const stateOf = (state: string) => (state === '' ? {} : { state: state as DeliveryState });

/** Counts as the service will choose: without a state, all but the pending ones. */
function useCount(id: string, range: ReplayedRange | null) {
  const { client } = useAccount();
  return useQuery({
    queryKey: ['webhooks', id, 'count', range],
    queryFn: async () => {
      if (!range) return 0;
      const of = async (query: ReplayedRange) =>
        (await client.webhooks.deliveries.list(id, { ...query, limit: 1 })).pagination.total;
      return (await of(range)) - (range.state ? 0 : await of({ ...range, state: 'pending' }));
    },
    enabled: range !== null,
    staleTime: 0,
  });
}

/** Says that what has failed is tried again without a replay, which may be what the reader looks for. */
function StillTried({ id, range }: { readonly id: string; readonly range: ReplayedRange }) {
  const t = useTexts(DELIVERIES);
  const { number } = useFormats();
  const waiting = useCount(id, { ...range, state: 'waiting' });
  if (!waiting.data) return null;
  return <p className="note">{t('stillTried', { count: number(waiting.data) })}</p>;
}

interface MatchingProps {
  readonly count: number | undefined;
  readonly isCounting: boolean;
}

function Matching({ count, isCounting }: MatchingProps) {
  const t = useTexts(DELIVERIES);
  const { number } = useFormats();
  const text =
    count === undefined || isCounting
      ? t('counting')
      : count === 0
        ? t('noneMatching')
        : t('matching', { count: number(count) });
  return (
    <p className="strong" role="status">
      {text}
    </p>
  );
}
