import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { isCurrency } from '../../../parts/currency-code.ts';
import { DOCUMENT_NAMES } from '../../../parts/document-messages.ts';
import { Explained } from '../../../parts/explained.ts';
import { Choice } from '../../../parts/fields.tsx';
import { FormButton } from '../../../parts/form-dialog.tsx';
import { useGoOn } from '../../../parts/is-here.ts';
import type { Pick } from '../../../parts/pick.ts';
import { Picker } from '../../../parts/picker.tsx';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { type Charge, isAmount } from '../amounts.ts';
import { CardChoice, FirstCard } from '../card-choice.tsx';
import { useCards } from '../gateway.tsx';
import { type Money, MoneyFields } from '../money-fields.tsx';
import { CHARGES } from './texts.ts';

const FOUND = 10;
const OUTCOMES: Readonly<Record<Charge['status'], 'begun' | 'held' | 'awaited' | 'declined'>> = {
  ...{ SUCCEEDED: 'begun', AUTHORIZED: 'held', PENDING: 'awaited', FAILED: 'declined', CANCELED: 'declined' },
};

interface ChargeDraft extends Money {
  readonly card: string;
  readonly takes: 'now' | 'later';
  readonly document: Pick | null;
}

const EMPTY: ChargeDraft = { card: '', amount: '', currency: 'ILS', takes: 'now', document: null };

/** Charges a saved card. */
export function NewCharge() {
  const t = useTexts(CHARGES);
  const { client } = useAccount();
  const goOn = useGoOn();
  const queries = useQueryClient();
  const toasts = useToasts();
  const send = useSendOnce();
  const { all } = useCards();
  const [draft, setDraft] = useState(EMPTY);
  const card = draft.card === '' ? String(all[0]?.id ?? '') : draft.card;
  const body = {
    ...{ tokenId: Number(card), amount: Number(draft.amount), currency: draft.currency },
    ...(draft.takes === 'later' && { capture: false }),
    ...(draft.document && { documentId: draft.document.id }),
  };
  const charge = async () => {
    const { chargeId, status } = await send(body, (options) => client.gateway.charges.create(body, options));
    if (OUTCOMES[status] === 'declined') toasts.fail(new Explained(t('declined')));
    else toasts.say(t(OUTCOMES[status]));
    setDraft(EMPTY);
    void queries.invalidateQueries({ queryKey: ['gateway'] });
    await goOn({ to: '/payments/charges/$id', params: { id: String(chargeId) } });
  };
  const isReady = card !== '' && isAmount(draft.amount) && isCurrency(draft.currency);
  return (
    <FormButton
      label={t('add')}
      submit={t('question')}
      look="primary"
      title={t('add')}
      size="medium"
      isDisabled={!isReady}
      onSubmit={charge}
      call={() => ({ request: 'POST /gateway/charges', sdk: 'gateway.charges.create', body })}
    >
      {all.length === 0 ? (
        <FirstCard />
      ) : (
        <Fields draft={{ ...draft, card }} put={(part) => setDraft({ ...draft, ...part })} />
      )}
    </FormButton>
  );
}

interface FieldsProps {
  readonly draft: ChargeDraft;
  readonly put: (part: Partial<ChargeDraft>) => void;
}

function Fields({ draft, put }: FieldsProps) {
  const t = useTexts(CHARGES);
  const n = useTexts(DOCUMENT_NAMES);
  const { date } = useFormats();
  const { client } = useAccount();
  const find = async (text: string): Promise<readonly Pick[]> => {
    const { data } = await client.documents.list({ limit: FOUND, ...(text !== '' && { search: text }) });
    return data.map(({ id, type, number, issueDate }) => ({
      ...{ id, name: n('number', { type: n(type), number }), detail: date(issueDate) },
    }));
  };
  return (
    <>
      <CardChoice card={draft.card} onChange={(card) => put({ card })} />
      <div className="pair">
        <MoneyFields draft={draft} put={put} />
      </div>
      <Choice
        label={t('takes')}
        value={draft.takes}
        onChange={(takes) => put({ takes })}
        options={[
          { value: 'now', text: t('now') },
          { value: 'later', text: t('later') },
        ]}
      />
      <Picker
        label={t('document')}
        kind="documents"
        chosen={draft.document}
        onChoose={(document) => put({ document })}
        find={find}
        help={t('documentHelp')}
      />
    </>
  );
}
