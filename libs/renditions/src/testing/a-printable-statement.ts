import type { AccountStatement } from '@counterfoil/documents';
import type { PrintableStatement } from '../application/ports/printable-statement';
import { aPrintableDocument } from './a-printable-document';

type Line = AccountStatement['lines'][number];

export function aStatementLine(overrides: Partial<Line> = {}): Line {
  return {
    ...{ entry: 'DOCUMENT', date: '2026-11-05', documentId: 1, visibleId: 'v', type: 'TAX_INVOICE' },
    ...{ number: 1042, dueDate: '2026-12-05', debit: 1_180, credit: 0, balance: 1_430.5 },
    ...overrides,
  };
}

const RECEIPT = aStatementLine({
  ...{
    date: '2026-11-20',
    type: 'RECEIPT',
    number: 77,
    dueDate: null,
    debit: 0,
    credit: 250.5,
    balance: 1_180,
  },
});

export function aPrintableStatement(
  overrides: Partial<PrintableStatement> = {},
  statement: Partial<AccountStatement> = {},
): PrintableStatement {
  const { issuer, recipient } = aPrintableDocument();
  return {
    ...{ language: 'en', issuer, recipient },
    statement: {
      ...{ from: '2026-11-01', to: '2026-11-30', currency: 'ILS', currencies: ['ILS'] },
      ...{ openingBalance: 250.5, lines: [aStatementLine(), RECEIPT] },
      ...{ debit: 1_180, credit: 250.5, closingBalance: 1_180 },
      ageing: {
        ...{ asOf: '2026-11-27', notDue: 1_180, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 },
        total: 1_180,
      },
      unallocatedCredit: 0,
      ...statement,
    },
    ...overrides,
  };
}
