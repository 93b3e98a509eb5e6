import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import type { Endpoint } from './causes.ts';
import { WEBHOOKS } from './texts.ts';

export const EVERY_EVENT = '*';

export const useEventTypes = () => {
  const { client } = useAccount();
  return useQuery({
    queryKey: ['event-types'],
    queryFn: () => client.webhooks.eventTypes(),
    staleTime: Number.POSITIVE_INFINITY,
  });
};

/** Reads what the fields below have. */
export function endpointOf(form: FormData): { url: string; events: string[] } {
  const events = form.getAll('events').map(String);
  const isEvery = form.get('scope') === EVERY_EVENT;
  const url = form.get('url');
  return { url: typeof url === 'string' ? url.trim() : '', events: isEvery ? [EVERY_EVENT] : events };
}

/** The fields of a new endpoint, or of one that is changed. */
export function EndpointFields({ endpoint }: { readonly endpoint?: Endpoint }) {
  const t = useTexts(WEBHOOKS);
  const [isEvery, setEvery] = useState(endpoint?.events.includes(EVERY_EVENT) ?? true);
  return (
    <>
      <TextField
        name="url"
        type="url"
        isRequired
        defaultValue={endpoint?.url ?? ''}
        maxLength={2048}
        autoFocus
      >
        <Label>{t('url')}</Label>
        <Input dir="ltr" placeholder="https://example.com/hooks" />
        <Text slot="description">{t('urlHelp')}</Text>
        <FieldError>{t('urlMissing')}</FieldError>
      </TextField>
      <fieldset className="choices">
        <legend>{t('events')}</legend>
        <label>
          <input
            type="radio"
            name="scope"
            value={EVERY_EVENT}
            checked={isEvery}
            onChange={() => setEvery(true)}
          />
          {t('everyEvent')}
        </label>
        <label>
          <input
            type="radio"
            name="scope"
            value="chosen"
            checked={!isEvery}
            onChange={() => setEvery(false)}
          />
          {t('chosenEvents')}
        </label>
      </fieldset>
      {!isEvery && <EventChoices chosen={endpoint?.events ?? []} />}
    </>
  );
}

function EventChoices({ chosen }: { readonly chosen: readonly string[] }) {
  const t = useTexts(WEBHOOKS);
  const types = useEventTypes();
  if (types.error) return <ErrorNotice error={types.error} retry={() => void types.refetch()} />;
  if (!types.data) return <Loading />;
  return (
    <fieldset className="choices many">
      <legend className="unseen">{t('chosenEvents')}</legend>
      {types.data.data.map(({ type }) => (
        <label key={type}>
          <input type="checkbox" name="events" value={type} defaultChecked={chosen.includes(type)} />
          <code>{type}</code>
        </label>
      ))}
    </fieldset>
  );
}
