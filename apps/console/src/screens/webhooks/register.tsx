import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { Explained } from '../../parts/explained.ts';
import { FormButton } from '../../parts/form-dialog.tsx';
import { useGoOn } from '../../parts/is-here.ts';
import { useSendOnce } from '../../parts/send-once.ts';
import { useToasts } from '../../parts/toasts.tsx';
import { EndpointFields, endpointOf } from './endpoint-fields.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { WEBHOOKS } from './texts.ts';

/** Registers an endpoint, shows its secret once, and leads to its page. */
export function Register() {
  const t = useTexts(WEBHOOKS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const toasts = useToasts();
  const send = useSendOnce();
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const register = async (form: FormData) => {
    const endpoint = endpointOf(form);
    if (endpoint.events.length === 0) throw new Explained(t('noEvents'));
    const answer = await send(endpoint, (options) => client.webhooks.create(endpoint, options));
    toasts.say(t('registered'));
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
    // A repeated call is answered without the secret, which has been lost on the way.
    if ('secret' in answer) setMade({ id: answer.id, secret: answer.secret });
    else void goOn({ to: `/webhooks/${answer.id}` });
  };
  return (
    <>
      <FormButton
        label={t('register')}
        title={t('register')}
        submit={t('register')}
        look="primary"
        size="medium"
        onSubmit={register}
        call={(form) => ({ request: 'POST /webhooks', sdk: 'webhooks.create', body: endpointOf(form) })}
      >
        <EndpointFields />
      </FormButton>
      <SecretDialog
        title={t('secretTitle')}
        note={t('secretOnce')}
        secret={made?.secret ?? null}
        onClose={() => {
          setMade(null);
          void goOn({ to: `/webhooks/${made?.id}` });
        }}
      />
    </>
  );
}
