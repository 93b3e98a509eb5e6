import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import type { ExpenseRow } from '../draft.ts';
import { EXPENSE } from './texts.ts';

/** An expense as it is recorded. */
export function ExpenseFacts({ row }: { readonly row: ExpenseRow }) {
  const t = useTexts(EXPENSE);
  const { date, money, time } = useFormats();
  const { expense, vendor, user } = row;
  const { currency } = expense;
  return (
    <section className="card">
      <h2>{t('details')}</h2>
      <dl className="facts">
        <Fact name={t('vendor')}>{vendor.name}</Fact>
        <Fact name={t('date')}>{date(expense.date)}</Fact>
        <Fact name={t('documentNumber')}>{expense.documentNumber}</Fact>
        <Fact name={t('total')}>{money(expense.total, currency)}</Fact>
        <Fact name={t('tax')}>{money(expense.tax, currency)}</Fact>
        <Fact name={t('deductable')}>{money(expense.deductableTax, currency)}</Fact>
        <Fact name={t('inShekels')}>
          <InShekels expense={expense} />
        </Fact>
        <Fact name={t('purpose')}>{expense.title}</Fact>
        <Fact name={t('notes')}>{expense.notes}</Fact>
        <Fact name={t('equipment')}>{expense.isEquipment ? t('yes') : t('no')}</Fact>
        <Fact name={t('recorded')}>
          {t('recordedBy', { time: time(expense.createdAt), name: `\u2068${user.name}\u2069` })}
        </Fact>
      </dl>
    </section>
  );
}

function InShekels({ expense }: Pick<ExpenseRow, 'expense'>) {
  const t = useTexts(EXPENSE);
  const { date, money } = useFormats();
  const { totalInILS, exchangeRate, exchangeRateDate } = expense;
  if (totalInILS === null) return <span className="quiet-text">{t('noRate')}</span>;
  return (
    <>
      {money(totalInILS, 'ILS')}
      {exchangeRate !== null && exchangeRateDate !== null && (
        <span className="quiet-text"> {t('rate', { rate: exchangeRate, date: date(exchangeRateDate) })}</span>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{children === null || children === '' ? '—' : children}</bdi>
      </dd>
    </>
  );
}
