import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { FROM_ANSWER } from '../../../parts/form-call.ts';
import { FormButton } from '../../../parts/form-dialog.tsx';
import { PartyPicker } from '../../../parts/party-picker.tsx';
import type { Pick } from '../../../parts/pick.ts';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { useProviders } from '../gateway.tsx';
import { CARDS } from './texts.ts';

const bodyOf = (
  of: { readonly provider: string } | undefined,
  providerToken: string,
  owner: Pick | null,
) => ({
  ...{ provider: of?.provider ?? '', providerToken },
  ...(owner && { entityId: owner.id }),
});

/** Saves a card by the token of its provider; a sandbox offers the tokens of its test cards. */
export function SaveCard() {
  const t = useTexts(CARDS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const send = useSendOnce();
  const providers = useProviders().data ?? [];
  const [named, setNamed] = useState('');
  const [typed, setTyped] = useState('');
  const [owner, setOwner] = useState<Pick | null>(null);
  const provider = providers.find((one) => one.provider === named) ?? providers[0];
  const tests = provider?.testTokens ?? [];
  const token = typed === '' ? (tests[0]?.providerToken ?? '') : typed.trim();
  const body = bodyOf(provider, token, owner);
  const save = async () => {
    await send(body, (options) => client.gateway.tokens.attach(body, options));
    toasts.say(t('saved'));
    setTyped('');
    void queries.invalidateQueries({ queryKey: ['gateway'] });
  };
  return (
    <FormButton
      label={t('add')}
      submit={t('save')}
      look="primary"
      title={t('add')}
      size="medium"
      isDisabled={token === ''}
      onSubmit={save}
      call={() => ({
        request: 'POST /gateway/tokens',
        sdk: 'gateway.tokens.attach',
        body: { ...body, providerToken: FROM_ANSWER },
      })}
    >
      {providers.length > 1 && (
        <Choice
          label={t('provider')}
          value={provider?.provider ?? ''}
          onChange={(value) => {
            setNamed(value);
            setTyped('');
          }}
          options={providers.map((one) => ({ value: one.provider, text: one.name }))}
        />
      )}
      {tests.length > 0 ? (
        <Choice
          label={t('testToken')}
          value={token}
          onChange={setTyped}
          options={tests.map(({ providerToken, description }) => ({
            ...{ value: providerToken, text: `${providerToken}: ${description}` },
          }))}
        />
      ) : (
        <TextInput
          label={t('token')}
          kind="code"
          value={typed}
          onChange={setTyped}
          maxLength={255}
          help={t('tokenHelp')}
        />
      )}
      <PartyPicker chosen={owner} onChoose={setOwner} />
    </FormButton>
  );
}
