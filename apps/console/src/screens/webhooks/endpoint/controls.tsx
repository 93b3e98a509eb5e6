import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Explained } from '../../../parts/explained.ts';
import { Choice } from '../../../parts/fields.tsx';
import { FormButton } from '../../../parts/form-dialog.tsx';
import { useGoOn } from '../../../parts/is-here.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import type { Delivery, Endpoint } from '../causes.ts';
import { EndpointFields, endpointOf, EVERY_EVENT, useEventTypes } from '../endpoint-fields.tsx';
import { SecretDialog } from '../../../parts/secret-dialog.tsx';
import { WEBHOOKS } from '../texts.ts';

type EventType = Delivery['eventType'];

interface OfEndpoint {
  readonly endpoint: Endpoint;
}

const useRefresh = () => {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['webhooks'] });
};

export function PauseOrResume({ endpoint: { id, pausedAt } }: OfEndpoint) {
  const t = useTexts(WEBHOOKS);
  const { client } = useAccount();
  const refresh = useRefresh();
  const toasts = useToasts();
  const isPaused = pausedAt !== null;
  const changing = useMutation({
    mutationFn: () => (isPaused ? client.webhooks.resume(id) : client.webhooks.pause(id)),
    onSuccess: () => toasts.say(t(isPaused ? 'resumedDone' : 'pausedDone')),
    onError: (error) => toasts.fail(error),
    onSettled: refresh,
  });
  return (
    <Button
      className={isPaused ? 'button primary' : 'button'}
      onPress={() => !changing.isPending && changing.mutate()}
    >
      {t(isPaused ? 'resume' : 'pause')}
    </Button>
  );
}

export function SendTest({ endpoint: { id, events } }: OfEndpoint) {
  const t = useTexts(WEBHOOKS);
  const { client } = useAccount();
  const types = useEventTypes();
  const refresh = useRefresh();
  const toasts = useToasts();
  const known = types.data?.data.map(({ type }) => type) ?? [];
  const offered = events.includes(EVERY_EVENT) ? known : known.filter((type) => events.includes(type));
  const [chosen, setChosen] = useState<EventType | null>(null);
  const type = chosen ?? offered[0];
  const body = type === undefined ? {} : { type };
  const send = async () => {
    await client.webhooks.test(id, body);
    toasts.say(t('tested'));
    await refresh();
  };
  return (
    <FormButton
      size="medium"
      label={t('test')}
      title={t('test')}
      submit={t('send')}
      onSubmit={send}
      call={() => ({ request: `POST /webhooks/${id}/test`, sdk: 'webhooks.test', ids: [id], body })}
    >
      <p className="quiet-text">{t('testText')}</p>
      {type !== undefined && (
        <Choice
          label={t('eventType')}
          value={type}
          options={offered.map((one) => ({ value: one, text: one }))}
          onChange={setChosen}
        />
      )}
    </FormButton>
  );
}

export function EditEndpoint({ endpoint }: OfEndpoint) {
  const t = useTexts(WEBHOOKS);
  const { client } = useAccount();
  const refresh = useRefresh();
  const toasts = useToasts();
  const save = async (form: FormData) => {
    const changed = endpointOf(form);
    if (changed.events.length === 0) throw new Explained(t('noEvents'));
    await client.webhooks.edit(endpoint.id, changed);
    toasts.say(t('saved'));
    await refresh();
  };
  return (
    <FormButton
      size="medium"
      label={t('edit')}
      title={t('editTitle')}
      submit={t('save')}
      look="small"
      onSubmit={save}
      call={(form) => ({
        request: `PUT /webhooks/${endpoint.id}`,
        sdk: 'webhooks.edit',
        ids: [endpoint.id],
        body: endpointOf(form),
      })}
    >
      <EndpointFields endpoint={endpoint} />
    </FormButton>
  );
}

const OVERLAPS_HOURS = [24, 72, 168, 0] as const;

export function RotateSecret({ id }: { readonly id: string }) {
  const t = useTexts(WEBHOOKS);
  const { number } = useFormats();
  const { client } = useAccount();
  const [secret, setSecret] = useState<string | null>(null);
  const [overlap, setOverlap] = useState('24');
  const body = { overlapHours: Number(overlap) };
  const rotate = async () => {
    const answer = await client.webhooks.rotateSecret(id, body);
    setSecret(answer.secret);
  };
  const options = OVERLAPS_HOURS.map((hours) => ({
    value: String(hours),
    text: hours === 0 ? t('overlapNone') : t('overlapHours', { hours: number(hours) }),
  }));
  return (
    <>
      <FormButton
        size="medium"
        label={t('rotate')}
        title={t('rotate')}
        submit={t('rotate')}
        look="small"
        onSubmit={rotate}
        call={() => ({
          request: `POST /webhooks/${id}/rotate-secret`,
          sdk: 'webhooks.rotateSecret',
          ids: [id],
          body,
        })}
      >
        <p className="quiet-text">{t('rotateText')}</p>
        <Choice label={t('overlap')} value={overlap} options={options} onChange={setOverlap} />
      </FormButton>
      <SecretDialog
        title={t('secretTitle')}
        note={t('secretOnce')}
        secret={secret}
        onClose={() => setSecret(null)}
      />
    </>
  );
}

export function RemoveEndpoint({ id }: { readonly id: string }) {
  const t = useTexts(WEBHOOKS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const toasts = useToasts();
  const removing = useMutation({
    mutationFn: () => client.webhooks.delete(id),
    onSuccess: async () => {
      toasts.say(t('removed'));
      await goOn({ to: '/webhooks' });
      // Nothing may ask for it again.
      queries.removeQueries({ queryKey: ['webhooks', id] });
      await queries.invalidateQueries({ queryKey: ['webhooks', 'list'] });
    },
    onError: (error) => toasts.fail(error),
  });
  return (
    <Confirm label={t('remove')} title={t('removeTitle')} onConfirm={() => removing.mutate()}>
      {t('removeText')}
    </Confirm>
  );
}
