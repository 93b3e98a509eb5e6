import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { TextInput } from '../../parts/fields.tsx';
import { RECORDS } from '../../parts/record-messages.ts';
import {
  ACCOUNT_FIELDS,
  type AccountDraft,
  accountProblem,
  BANK_ACCOUNTS_MAX,
  newAccount,
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
  const section = useRef<HTMLElement>(null);
  const removed = useRef<number>(null);
  /** The focus goes from a removed row to the next one, or else to the button that adds one. */
  useEffect(() => {
    if (removed.current === null) return;
    const row = section.current?.querySelectorAll('[role=group]')[removed.current];
    (
      row?.querySelector('input') ?? section.current?.querySelector<HTMLElement>(':scope > .actions button')
    )?.focus();
    removed.current = null;
  }, [accounts]);
  return (
    <section className="form" ref={section}>
      <h3>{t('bankAccounts')}</h3>
      {accounts.map((account, index) => (
        <AccountRow
          key={account.row}
          account={account}
          number={index + 1}
          onChange={(changed) => onChange(accounts.with(index, changed))}
          onRemove={() => {
            removed.current = index;
            onChange(accounts.toSpliced(index, 1));
          }}
        />
      ))}
      {accounts.length < BANK_ACCOUNTS_MAX && (
        <div className="actions">
          <Button className="button small" onPress={() => onChange([...accounts, newAccount(accounts)])}>
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
