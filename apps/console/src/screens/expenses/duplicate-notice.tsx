import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { EXPENSE_FORM } from './form-texts.ts';

/** The service names at most 20. */
const MOST = 20;

/** The expenses that the service named as likely the same, when this one was saved. */
export function DuplicateNotice({ ids }: { readonly ids: readonly number[] }) {
  const t = useTexts(EXPENSE_FORM);
  const { date, money } = useFormats();
  const { client } = useAccount();
  const shown = ids.slice(0, MOST);
  const found = useQueries({
    queries: shown.map((id) => ({
      queryKey: ['expenses', 'one', id],
      queryFn: () => client.expenses.get(id),
    })),
  });
  if (shown.length === 0) return null;
  return (
    <div className="note" role="status">
      <p className="strong">{t('likelyDuplicate')}</p>
      <p>{t('likelyDuplicateText')}</p>
      <ul>
        {shown.map((id, index) => {
          const row = found[index]?.data;
          return (
            <li key={id}>
              <Link to="/expenses/$id" params={{ id: String(id) }}>
                {row
                  ? t('duplicateLine', {
                      id,
                      date: date(row.expense.date),
                      total: money(row.expense.total, row.expense.currency),
                    })
                  : t('expenseNumber', { id })}
              </Link>{' '}
              {row && <bdi>{row.expense.title}</bdi>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Reads the ids from the address. */
export function idsIn(text: string | number | boolean | undefined): readonly number[] {
  return String(text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);
}
