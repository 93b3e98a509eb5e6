import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { isCurrency } from '../../../parts/currency-code.ts';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { FormButton } from '../../../parts/form-dialog.tsx';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { todayInIsrael } from '../../../parts/today.ts';
import { isAmount } from '../amounts.ts';
import { CardChoice, FirstCard } from '../card-choice.tsx';
import { useCards } from '../gateway.tsx';
import { type Money, MoneyFields } from '../money-fields.tsx';
import { PAYMENTS } from '../texts.ts';
import { RECURRING } from './texts.ts';

const INTERVALS = ['WEEKLY', 'MONTHLY', 'YEARLY'] as const;

interface RecurringDraft extends Money {
  readonly card: string;
  readonly interval: (typeof INTERVALS)[number];
  readonly nextRunDate: string;
}

const EMPTY: RecurringDraft = {
  ...{ card: '', amount: '', currency: 'ILS', interval: 'MONTHLY', nextRunDate: '' },
};

export function NewRecurring() {
  const t = useTexts(RECURRING);
  const p = useTexts(PAYMENTS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const send = useSendOnce();
  const { all } = useCards();
  const [draft, setDraft] = useState(EMPTY);
  const card = draft.card === '' ? String(all[0]?.id ?? '') : draft.card;
  const { amount, currency, interval, nextRunDate } = draft;
  const body = { tokenId: Number(card), amount: Number(amount), currency, interval, nextRunDate };
  const create = async () => {
    await send(body, (options) => client.gateway.recurringPayments.create(body, options));
    toasts.say(t('created'));
    setDraft(EMPTY);
    void queries.invalidateQueries({ queryKey: ['gateway'] });
  };
  const isReady = card !== '' && isAmount(amount) && isCurrency(currency) && nextRunDate !== '';
  return (
    <FormButton
      label={t('add')}
      submit={p('create')}
      look="primary"
      title={t('add')}
      size="medium"
      isDisabled={!isReady}
      onSubmit={create}
      call={() => ({
        request: 'POST /gateway/recurring-payments',
        sdk: 'gateway.recurringPayments.create',
        body,
      })}
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
  readonly draft: RecurringDraft;
  readonly put: (part: Partial<RecurringDraft>) => void;
}

function Fields({ draft, put }: FieldsProps) {
  const t = useTexts(RECURRING);
  const p = useTexts(PAYMENTS);
  const { interval, nextRunDate } = draft;
  return (
    <>
      <CardChoice card={draft.card} onChange={(card) => put({ card })} />
      <div className="pair">
        <MoneyFields draft={draft} put={put} />
        <Choice
          label={t('every')}
          value={interval}
          onChange={(value) => put({ interval: value })}
          options={INTERVALS.map((value) => ({ value, text: p(value) }))}
        />
        <TextInput
          label={t('next')}
          kind="date"
          value={nextRunDate}
          onChange={(value) => put({ nextRunDate: value })}
          help={t('nextHelp')}
        />
      </div>
      {nextRunDate !== '' && nextRunDate < todayInIsrael() && <p className="note">{t('past')}</p>}
    </>
  );
}
