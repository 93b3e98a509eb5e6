import { decimal, type PlainDate, sum, toMoney, validationFailed } from '@counterfoil/kernel';
import type { DocumentType } from './document-type';

/** Lines of one statement. A longer one is refused, and asks for a shorter period. */
export const STATEMENT_LINES_MAX = 2_000;

/** Both days are included. */
export interface StatementPeriod {
  readonly from: PlainDate;
  readonly to: PlainDate;
}

/**
 * `DOCUMENT`: what a document adds to the debt of the client, or takes off. `CLOSING`: the rest of a document that was
 * closed by a call, which is not claimed any more.
 */
export const STATEMENT_ENTRIES = ['DOCUMENT', 'CLOSING'] as const;
export type StatementEntryKind = (typeof STATEMENT_ENTRIES)[number];

export interface StatementEntry {
  readonly entry: StatementEntryKind;
  readonly date: PlainDate;
  readonly documentId: number;
  readonly visibleId: string;
  readonly type: DocumentType;
  readonly number: number;
  readonly dueDate: PlainDate | null;
  readonly debit: number;
  readonly credit: number;
}

export interface StatementLine extends StatementEntry {
  /** After this line. Above zero: the client owes it. */
  readonly balance: number;
}

/** The open amounts of tax invoices, by the days since they were due. */
export interface Ageing {
  readonly notDue: number;
  readonly days1To30: number;
  readonly days31To60: number;
  readonly days61To90: number;
  readonly over90: number;
}

/** The account of one client in one currency, as the tables have it at one moment. */
export interface StatementFacts {
  /** All currencies in which the client has entries. */
  readonly currencies: readonly string[];
  readonly openingBalance: number;
  /** Of the period, in order. One more than the maximum if there are more. */
  readonly entries: readonly StatementEntry[];
  readonly ageing: Ageing;
}

/** The account of a client with the company, in one currency (contract §8.20). */
export interface AccountStatement extends StatementPeriod {
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly openingBalance: number;
  readonly lines: readonly StatementLine[];
  readonly debit: number;
  readonly credit: number;
  readonly closingBalance: number;
  readonly ageing: Ageing & { readonly asOf: PlainDate; readonly total: number };
  /** Receipts and credit notes that no tax invoice of the statement has used up. */
  readonly unallocatedCredit: number;
}

/** @throws AppError `VALIDATION_FAILED` if the period ends before it begins */
export function assertPeriod({ from, to }: StatementPeriod): void {
  if (from > to) throw validationFailed([{ field: 'to', problem: 'must not be before from' }]);
}

/** The day for which the age of open amounts is computed: nothing is overdue before it is. */
export function ageingDay({ to }: StatementPeriod, today: PlainDate): PlainDate {
  return to < today ? to : today;
}

/** @throws AppError `VALIDATION_FAILED` for too many entries */
export function accountStatement(
  facts: StatementFacts,
  period: StatementPeriod & { readonly currency: string },
  asOf: PlainDate,
): AccountStatement {
  const { currencies, openingBalance, entries, ageing } = facts;
  if (entries.length > STATEMENT_LINES_MAX) throw tooLong();
  let balance = decimal(openingBalance);
  const lines = entries.map((entry) => {
    balance = balance.plus(entry.debit).minus(entry.credit);
    return { ...entry, balance: toMoney(balance) };
  });
  const total = toMoney(sum(Object.values(ageing)));
  const { from, to, currency } = period;
  return {
    ...{ from, to, currency, currencies, openingBalance, lines },
    debit: toMoney(sum(entries.map(({ debit }) => debit))),
    credit: toMoney(sum(entries.map(({ credit }) => credit))),
    closingBalance: toMoney(balance),
    ageing: { ...ageing, asOf, total },
    unallocatedCredit: toMoney(decimal(total).minus(balance)),
  };
}

function tooLong() {
  const problem = `the period has more than ${STATEMENT_LINES_MAX} lines: ask for a shorter one`;
  return validationFailed([{ field: 'from', problem }]);
}
