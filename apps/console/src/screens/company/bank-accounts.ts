import type { Company } from './company-fields.ts';

export const BANK_ACCOUNTS_MAX = 5;
export const ACCOUNT_FIELDS = ['bank', 'branch', 'account', 'iban'] as const;
type AccountField = (typeof ACCOUNT_FIELDS)[number];

type SentAccount = Readonly<Record<AccountField, string>>;

/** A row of the form; nothing is an empty text. */
export interface AccountDraft extends SentAccount {
  /** Tells the rows apart, in whatever place they are. */
  readonly row: number;
}

export const newAccount = (others: readonly AccountDraft[]): AccountDraft => ({
  row: Math.max(0, ...others.map(({ row }) => row)) + 1,
  ...{ bank: '', branch: '', account: '', iban: '' },
});

export const accountDrafts = ({ bankAccounts }: Company): readonly AccountDraft[] =>
  bankAccounts.map(({ bank, branch, account, iban }, row) => ({
    ...{ row, bank, branch: branch ?? '', account, iban: iban ?? '' },
  }));

export type AccountProblem = 'required' | 'iban';

export function accountProblem(field: AccountField, draft: AccountDraft): AccountProblem | null {
  const text = trimmed(draft)[field];
  if (field === 'iban') return text === '' || /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) ? null : 'iban';
  return field !== 'branch' && text === '' ? 'required' : null;
}

/** The list replaces the stored one, so it is left out unless it was changed. */
export function accountsBody(
  before: readonly AccountDraft[],
  after: readonly AccountDraft[],
): { readonly bankAccounts?: readonly SentAccount[] } {
  const sent = after.map(trimmed);
  return JSON.stringify(sent) === JSON.stringify(before.map(trimmed)) ? {} : { bankAccounts: sent };
}

const trimmed = ({ bank, branch, account, iban }: AccountDraft): SentAccount => ({
  ...{
    bank: bank.trim(),
    branch: branch.trim(),
    account: account.trim(),
    iban: iban.replaceAll(/\s/g, '').toUpperCase(),
  },
});
