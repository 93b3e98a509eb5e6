import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import type { Delivery } from './causes.ts';
import { DELIVERIES } from './delivery-messages.ts';

interface ReplayOneProps {
  readonly endpointId: string;
  readonly delivery: Pick<Delivery, 'id' | 'eventType'>;
  readonly look: 'primary' | 'small';
}

/** Sends one delivery again. */
export function ReplayOne({ endpointId, delivery: { id, eventType: type }, look }: ReplayOneProps) {
  const t = useTexts(DELIVERIES);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const replaying = useMutation({
    mutationFn: () => client.webhooks.deliveries.replay(endpointId, id),
    onSuccess: () => toasts.say(t('replayed')),
    onError: (error) => toasts.fail(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks', endpointId] }),
  });
  return (
    <Button
      className={`button ${look}`}
      {...(look === 'small' && { 'aria-label': t('replayNamed', { id, type }) })}
      onPress={() => !replaying.isPending && replaying.mutate()}
    >
      {t('replay')}
    </Button>
  );
}
