import type { AccountStatement } from '@counterfoil/documents';
import type { Company } from '@counterfoil/identity';
import type { PartyEntry } from '@counterfoil/parties';
import { aPrintableStatement } from '../testing/a-printable-statement';
import { statementContent } from './statement-to-print';

const ACCOUNT = { bank: 'Leumi', branch: null, account: '12-345', iban: null };
const COMPANY = {
  ...{ name: 'Acme', taxId: '514000009', address: null, phoneNumber: '03-555-0142', documentLanguage: null },
  bankAccounts: [ACCOUNT],
} as unknown as Company;
const CLIENT = { name: 'Client', taxId: '514000017', address: null } as unknown as PartyEntry;

function accountsAt(closingBalance: number) {
  const statement: AccountStatement = { ...aPrintableStatement().statement, closingBalance };
  return statementContent(COMPANY, CLIENT, statement, null).issuer.bankAccounts;
}

describe('a statement of account', () => {
  it('shows the bank accounts to a client who owes something', () => {
    expect(accountsAt(0.01)).toEqual([{ label: 'Leumi', value: '12-345' }]);
  });

  it.each([0, -250.5])('shows none at a balance of %d', (closingBalance) => {
    expect(accountsAt(closingBalance)).toEqual([]);
  });
});
