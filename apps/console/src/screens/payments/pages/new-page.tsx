import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { isCurrency } from '../../../parts/currency-code.ts';
import { CodeSample } from '../../../parts/code-sample.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { FormButton } from '../../../parts/form-dialog.tsx';
import { PartyPicker } from '../../../parts/party-picker.tsx';
import type { Pick } from '../../../parts/pick.ts';
import { useSendOnce } from '../../../parts/send-once.ts';
import { isAmount } from '../amounts.ts';
import { type Money, MoneyFields } from '../money-fields.tsx';
import { PAYMENTS } from '../texts.ts';
import { PAGES } from './texts.ts';

interface PageDraft extends Money {
  readonly description: string;
  readonly payer: Pick | null;
}

const EMPTY: PageDraft = { amount: '', currency: 'ILS', description: '', payer: null };

/** Creates a payment page, and shows its link. */
export function NewPage() {
  const t = useTexts(PAGES);
  const p = useTexts(PAYMENTS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const send = useSendOnce();
  const [draft, setDraft] = useState(EMPTY);
  const [url, setUrl] = useState<string | null>(null);
  const body = {
    ...{ amount: Number(draft.amount), currency: draft.currency, description: draft.description.trim() },
    ...(draft.payer && { entityId: draft.payer.id }),
  };
  const create = async () => {
    if (url !== null) {
      setUrl(null);
      setDraft(EMPTY);
      return true;
    }
    const made = await send(body, (options) => client.gateway.paymentPages.create(body, options));
    setUrl(made.url);
    void queries.invalidateQueries({ queryKey: ['gateway'] });
    return false;
  };
  const isReady = isAmount(draft.amount) && draft.description.trim() !== '' && isCurrency(draft.currency);
  return (
    <FormButton
      label={t('add')}
      submit={url === null ? p('create') : t('done')}
      look="primary"
      title={t('add')}
      size="medium"
      isDisabled={!isReady}
      isDone={url !== null}
      onSubmit={create}
      call={() => ({
        request: 'POST /gateway/payments/payment-pages',
        sdk: 'gateway.paymentPages.create',
        body,
      })}
    >
      {url === null ? (
        <Fields draft={draft} put={(part) => setDraft({ ...draft, ...part })} />
      ) : (
        <>
          <p role="status">{t('made')}</p>
          <CodeSample title={t('link')} text={url} />
          <p className="quiet-text">
            {t('linkHelp')} {t('changesNothing')}
          </p>
        </>
      )}
    </FormButton>
  );
}

interface FieldsProps {
  readonly draft: PageDraft;
  readonly put: (part: Partial<PageDraft>) => void;
}

function Fields({ draft, put }: FieldsProps) {
  const t = useTexts(PAGES);
  return (
    <>
      <TextInput
        label={t('description')}
        value={draft.description}
        onChange={(description) => put({ description })}
        maxLength={200}
        help={t('descriptionHelp')}
      />
      <div className="pair">
        <MoneyFields draft={draft} put={put} />
      </div>
      <PartyPicker chosen={draft.payer} onChoose={(payer) => put({ payer })} />
      <p className="quiet-text">{t('changesNothing')}</p>
    </>
  );
}
