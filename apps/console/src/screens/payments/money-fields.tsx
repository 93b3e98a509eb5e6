import { useTexts } from '../../app/locale.tsx';
import { TextInput } from '../../parts/fields.tsx';
import { faultOf } from './amounts.ts';
import { PAYMENTS } from './texts.ts';

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

interface MoneyFieldsProps {
  readonly draft: Money;
  readonly put: (part: Partial<Money>) => void;
}

/** An amount and its currency. */
export function MoneyFields({ draft: { amount, currency }, put }: MoneyFieldsProps) {
  const t = useTexts(PAYMENTS);
  const fault = faultOf(amount, Infinity);
  return (
    <>
      <TextInput
        label={t('amount')}
        kind="number"
        value={amount}
        onChange={(value) => put({ amount: value })}
        problem={fault === null ? undefined : t(fault)}
      />
      <TextInput
        label={t('currency')}
        kind="code"
        maxLength={3}
        value={currency}
        onChange={(value) => put({ currency: value.toUpperCase() })}
      />
    </>
  );
}
