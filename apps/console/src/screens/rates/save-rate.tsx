import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { isCurrency } from '../../parts/currency-code.ts';
import { Choice, TextInput } from '../../parts/fields.tsx';
import { FormButton } from '../../parts/form-dialog.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { todayInIsrael } from '../../parts/today.ts';
import { isRate } from './rates.ts';
import { RATES } from './texts.ts';

const UNITS = ['1', '10', '100', '1000'] as const;

/** Saves an own rate of a day. */
export function SaveRate({ currency: given }: { readonly currency: string | null }) {
  const t = useTexts(RATES);
  const { number } = useFormats();
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [typed, setTyped] = useState<string | null>(null);
  const [date, setDate] = useState(todayInIsrael());
  const [rate, setRate] = useState('');
  const [unit, setUnit] = useState<(typeof UNITS)[number]>('1');
  const currency = typed ?? given ?? '';
  const rates = [{ currency, date, rate: Number(rate), unit: Number(unit) as 1 | 10 | 100 | 1000 }];
  const save = async () => {
    const answer = await client.exchangeRates.save({ rates });
    toasts.say(t(answer.new + answer.revised > 0 ? 'saved' : 'same'));
    setRate('');
    setTyped(null);
    void queries.invalidateQueries({ queryKey: ['rates'] });
  };
  return (
    <FormButton
      label={t('save')}
      submit={t('send')}
      look="primary"
      title={t('save')}
      size="medium"
      isDisabled={!isRate(rate) || !isCurrency(currency) || date === ''}
      onSubmit={save}
      call={() => ({ request: 'PUT /exchange-rates', sdk: 'exchangeRates.save', body: { rates } })}
    >
      <p>{t('takesPrecedence')}</p>
      <div className="pair">
        <TextInput
          label={t('currency')}
          kind="code"
          maxLength={3}
          value={currency}
          onChange={(value) => setTyped(value.toUpperCase())}
        />
        <TextInput label={t('date')} kind="date" value={date} onChange={setDate} help={t('dayHelp')} />
        <TextInput
          label={t('rate')}
          kind="number"
          value={rate}
          onChange={setRate}
          help={t('rateHelp')}
          problem={rate === '' || isRate(rate) ? undefined : t('rateFault')}
        />
        <Choice
          label={t('unit')}
          value={unit}
          onChange={setUnit}
          options={UNITS.map((value) => ({ value, text: t('unitOf', { count: number(Number(value)) }) }))}
        />
      </div>
    </FormButton>
  );
}
