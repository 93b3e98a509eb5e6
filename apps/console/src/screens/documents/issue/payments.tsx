import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { isCurrency } from '../../../parts/currency-code.ts';
import { Section } from '../../../parts/facts.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { DOCUMENTS } from '../texts.ts';
import { type DocumentDraft, isFaulty, NEW_PAYMENT, type PaymentDraft } from './draft.ts';
import { ISSUE } from './texts.ts';

const METHODS = ['BANK_TRANSFER', 'CREDIT_CARD', 'CASH', 'CHECK', 'OTHER'] as const;
const NOTE_MAX = 200;

interface PaymentsProps {
  readonly draft: DocumentDraft;
  /** Of the previewed document. */
  readonly total: number | null;
  readonly onChange: (payments: readonly PaymentDraft[]) => void;
}

export function Payments({ draft, total, onChange }: PaymentsProps) {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  const { money } = useFormats();
  const { payments, type, currency } = draft;
  const [first = NEW_PAYMENT] = payments;
  const replace = (index: number, next: readonly PaymentDraft[]) =>
    onChange(payments.flatMap((one, at) => (at === index ? next : [one])));
  return (
    <Section title={d('payments')}>
      <ol className="entries">
        {payments.map((payment, index) => (
          <li key={index} className="entry payment noted">
            <Choice
              label={d('method')}
              value={payment.method}
              onChange={(method) => replace(index, [{ ...payment, method: method }])}
              options={METHODS.map((value) => ({ value, text: d(value) }))}
            />
            <TextInput
              label={d('sum')}
              kind="number"
              value={payment.amount}
              problem={isFaulty(payment.amount) ? t('notANumber') : undefined}
              onChange={(amount) => replace(index, [{ ...payment, amount }])}
            />
            <TextInput
              label={d('date')}
              kind="date"
              value={payment.date}
              onChange={(date) => replace(index, [{ ...payment, date }])}
            />
            <TextInput
              label={d('paymentNote')}
              value={payment.note}
              maxLength={NOTE_MAX}
              placeholder={t('noteHelp')}
              onChange={(note) => replace(index, [{ ...payment, note }])}
            />
            <Button
              className="button quiet small"
              aria-label={t('removePayment', { number: index + 1 })}
              isDisabled={payments.length === 1}
              onPress={() => replace(index, [])}
            >
              <Icon name="close" />
            </Button>
          </li>
        ))}
      </ol>
      <div className="actions">
        <Button className="button small" onPress={() => onChange([...payments, NEW_PAYMENT])}>
          {t('addPayment')}
        </Button>
        {type === 'TAX_INVOICE_RECEIPT' && total !== null && isCurrency(currency) && (
          <Button className="button small" onPress={() => onChange([{ ...first, amount: String(total) }])}>
            {t('fillTotal', { total: money(total, currency) })}
          </Button>
        )}
      </div>
    </Section>
  );
}
