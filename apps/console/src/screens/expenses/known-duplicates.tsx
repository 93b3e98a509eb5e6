import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { useDebounced } from '../../parts/debounced.ts';
import type { NamedVendor } from './draft.ts';
import { EXPENSE_FORM } from './form-texts.ts';

const SHOWN = 5;

interface KnownDuplicatesProps {
  readonly vendor: NamedVendor | null;
  readonly documentNumber: string;
  readonly ownId: number | undefined;
}

/** Warns before an expense is saved twice: the vendor already has one with this number. */
export function KnownDuplicates({ vendor, documentNumber, ownId }: KnownDuplicatesProps) {
  const t = useTexts(EXPENSE_FORM);
  const { date, money } = useFormats();
  const { client } = useAccount();
  const number = useDebounced(documentNumber.trim());
  const vendorId = vendor?.id;
  const known = useQuery({
    queryKey: ['expenses', 'with-number', vendorId, number],
    queryFn: async () => client.expenses.list({ vendorId: vendorId ?? 0, search: number, limit: SHOWN * 4 }),
    enabled: vendorId !== undefined && number !== '',
  });
  const same = (known.data?.data ?? [])
    .map(({ expense }) => expense)
    .filter(({ id, documentNumber: other }) => id !== ownId && isSameNumber(other ?? '', number))
    .slice(0, SHOWN);
  return (
    <div role="status">
      {vendorId !== undefined && number !== '' && same.length > 0 && (
        <div className="note">
          <p className="strong">{t('alreadyRecorded')}</p>
          <ul>
            {same.map((expense) => (
              <li key={expense.id}>
                <Link to="/expenses/$id" params={{ id: String(expense.id) }} target="_blank">
                  {t('duplicateLine', {
                    id: expense.id,
                    date: date(expense.date),
                    total: money(expense.total, expense.currency),
                  })}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** As the service compares them. */
const isSameNumber = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();
