import { Button } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { TextInput } from '../../parts/fields.tsx';
import { RECORDS } from '../../parts/record-messages.ts';
import {
  ACCOUNT_FIELDS,
  type AccountDraft,
  accountProblem,
  BANK_ACCOUNTS_MAX,
  NEW_ACCOUNT,
} from './bank-accounts.ts';
import { COMPANY } from './texts.ts';

const LONGEST = { bank: 100, branch: 20, account: 40, iban: 34 };

interface AccountRowsProps {
  readonly accounts: readonly AccountDraft[];
  readonly onChange: (accounts: readonly AccountDraft[]) => void;
}

/** The accounts into which clients pay. */
export function AccountRows({ accounts, onChange }: AccountRowsProps) {
  const t = useTexts(COMPANY);
  return (
    <section className="form">
      <h3>{t('bankAccounts')}</h3>
      {accounts.map((account, index) => (
        <AccountRow
          key={index}
          account={account}
          number={index + 1}
          onChange={(changed) => onChange(accounts.with(index, changed))}
          onRemove={() => onChange(accounts.toSpliced(index, 1))}
        />
      ))}
      {accounts.length < BANK_ACCOUNTS_MAX && (
        <div className="actions">
          <Button className="button small" onPress={() => onChange([...accounts, NEW_ACCOUNT])}>
            {t('addAccount')}
          </Button>
        </div>
      )}
    </section>
  );
}

interface AccountRowProps {
  readonly account: AccountDraft;
  readonly number: number;
  readonly onChange: (account: AccountDraft) => void;
  readonly onRemove: () => void;
}

function AccountRow({ account, number, onChange, onRemove }: AccountRowProps) {
  const t = useTexts(COMPANY);
  const common = useTexts(RECORDS);
  const name = t('accountNumber', { number });
  return (
    <div className="form-grid" role="group" aria-label={name}>
      {ACCOUNT_FIELDS.map((field) => {
        const problem = accountProblem(field, account);
        return (
          <TextInput
            key={field}
            label={t(field)}
            kind={field === 'bank' ? 'text' : 'code'}
            value={account[field]}
            onChange={(value) => onChange({ ...account, [field]: value })}
            maxLength={LONGEST[field]}
            problem={problem === null ? undefined : problem === 'iban' ? t('form_iban') : common(problem)}
          />
        );
      })}
      <div className="actions">
        <Button className="button small" onPress={onRemove} aria-label={t('removeAccount', { name })}>
          {t('remove')}
        </Button>
      </div>
    </div>
  );
}
