import { AppError, decimal, type PostalAddress, sum, toMoney } from '@counterfoil/kernel';
import {
  type DocumentType,
  type IssuedContent,
  periodOf,
  roundingOf,
  vatByRate,
} from '@counterfoil/documents';
import type { BankAccount } from '@counterfoil/identity';
import { printableLine, printableLines } from '../domain/printable-text';
import type { EInvoiceSyntax } from '../domain/rendition';
import { vatIdOf } from '../domain/vat-id';
import type {
  EInvoice,
  EInvoiceAccount,
  EInvoiceAddress,
  EInvoiceLine,
  EInvoiceParty,
  EInvoiceSeller,
  EInvoiceTotals,
  VatCategory,
} from './ports/e-invoice';

/** EN 16931 describes invoices and credit notes, and nothing else. */
const KINDS: Readonly<Partial<Record<DocumentType, EInvoice['kind']>>> = {
  TAX_INVOICE: 'invoice',
  TAX_INVOICE_RECEIPT: 'invoice',
  REFUND: 'credit-note',
  RETURN: 'credit-note',
};
const COVERED = Object.keys(KINDS).join(', ');

/** Codes that documents may have, but that the list of EN 16931 does not contain any more. */
const WITHDRAWN_CURRENCIES: ReadonlySet<string> = new Set(['ANG', 'BGN', 'SLL', 'STN', 'ZWL']);

/** The rules for CII have an older list of countries than those for UBL: it lacks South Sudan. */
const COUNTRIES_OF_UBL_ONLY: ReadonlySet<string> = new Set(['SS']);

/** The country of a party without an address. */
const HOME = 'IL';
/** In place of a text that EN 16931 requires, and that contains nothing to print. */
const NOTHING = '-';

/**
 * Returns why there is no e-invoice of a document, or null if there is one: an e-invoice must satisfy all rules of
 * EN 16931, or its receiver refuses it.
 */
export function eInvoiceRefusal(document: IssuedContent, syntax: EInvoiceSyntax): AppError | null {
  const { type, cancelled, currency, parties } = document;
  const refused = (why: string) => new AppError('INVALID_STATE', why);
  if (!KINDS[type]) return refused(`only ${COVERED} have e-invoices, and this is a ${type}`);
  if (cancelled) return refused('the document is cancelled, and an e-invoice cannot say so: use its PDF');
  if (WITHDRAWN_CURRENCIES.has(currency))
    return refused(
      `no e-invoice can have the currency ${currency}: the list of EN 16931 does not contain it`,
    );
  const country = syntax === 'cii' ? countryOutOfCii(document) : null;
  if (country !== null)
    return refused(
      `no CII can have the country ${country}: the list of its rules does not contain it; use the UBL`,
    );
  return sellerOf(parties.issuer).vatId === null ? withoutTaxId() : null;
}

function countryOutOfCii({ parties: { issuer, recipient } }: IssuedContent): string | null {
  const countries = [issuer, recipient].map(({ address }) => address?.country ?? HOME);
  return countries.find((country) => COUNTRIES_OF_UBL_ONLY.has(country)) ?? null;
}

function withoutTaxId(): AppError {
  const why =
    'the company had no taxId with digits when the document was issued: set it with PUT /company before the next one';
  const details = [{ field: 'taxId', problem: 'was not set with PUT /company when the document was issued' }];
  return new AppError('INVALID_STATE', why, { details });
}

/** Returns null if there is no e-invoice of the document in this syntax. */
export function documentToEInvoice(document: IssuedContent, syntax: EInvoiceSyntax): EInvoice | null {
  const kind = KINDS[document.type];
  if (!kind || eInvoiceRefusal(document, syntax) !== null) return null;
  const { number, issueDate, dueDate, currency, notes, parties, items } = document;
  const totals = totalsOf(document);
  const isToPay = kind === 'invoice' && totals.due > 0;
  return {
    ...{ kind, number: String(number), issueDate, currency, totals },
    dueDate: isToPay ? dueDate : null,
    period: periodOf(document),
    paymentTerms: paymentTermsOf(kind, isToPay && dueDate === null),
    note: notes === null ? null : printableLines(notes).join('\n').trim() || null,
    precedingInvoices: kind === 'credit-note' ? creditedInvoices(document) : [],
    supportingDocuments: allocationOf(document),
    seller: sellerOf(parties.issuer),
    buyer: partyOf(parties.recipient),
    accounts: isToPay ? parties.issuer.bankAccounts.map(accountOf) : [],
    vat: vatByRate(items).map((vat) => ({ category: categoryOf(vat.rate), ...vat })),
    lines: items.map(lineOf),
  };
}

/** A rule requires terms of an amount to pay without a due date; older versions of it also for a credit note. */
function paymentTermsOf(kind: EInvoice['kind'], hasNoDueDate: boolean): string | null {
  if (kind === 'credit-note') return 'Credited to the buyer: no payment is due';
  return hasNoDueDate ? 'No due date' : null;
}

function creditedInvoices({ settledAtIssue }: IssuedContent): string[] {
  return settledAtIssue.filter(({ type }) => KINDS[type] === 'invoice').map(({ number }) => String(number));
}

/** EN 16931 has no term for the number, and a program finds it here, unlike in a note. */
function allocationOf({ allocationNumber }: IssuedContent): EInvoice['supportingDocuments'] {
  if (allocationNumber === null) return [];
  return [{ id: allocationNumber, description: 'Allocation number of the Israel Tax Authority' }];
}

function totalsOf(document: IssuedContent): EInvoiceTotals {
  const { type, amount, tax, totalWithTax } = document;
  const isPaid = type === 'TAX_INVOICE_RECEIPT';
  return {
    net: amount,
    tax,
    gross: toMoney(sum([amount, tax])),
    paid: isPaid ? totalWithTax : 0,
    rounding: roundingOf(document),
    due: isPaid ? 0 : totalWithTax,
  };
}

type Issuer = IssuedContent['parties']['issuer'];
type Recipient = IssuedContent['parties']['recipient'];

function sellerOf(issuer: Issuer): EInvoiceSeller {
  const { name, legalName, taxId, address, phoneNumber, email } = issuer;
  const registered = partyOf({ name: legalName ?? name, taxId, address });
  const tradingName = text(name);
  return {
    ...registered,
    tradingName: tradingName === registered.name ? null : tradingName,
    phone: text(phoneNumber),
    email: text(email),
  };
}

function partyOf({ name, taxId, address }: Recipient): EInvoiceParty {
  const country = address?.country ?? HOME;
  return { name: text(name) ?? NOTHING, vatId: vatIdOf(taxId, country), address: addressOf(address) };
}

function addressOf(address: PostalAddress | null): EInvoiceAddress {
  if (address === null) return { street: null, city: null, postCode: null, country: HOME };
  const { street, houseNumber, city, zipCode, country } = address;
  return {
    street: text(`${street} ${houseNumber ?? ''}`),
    city: text(city),
    postCode: text(zipCode),
    country,
  };
}

function accountOf({ bank, branch, account, iban }: BankAccount): EInvoiceAccount {
  const compact = (iban ?? '').replaceAll(/[^A-Z\d]/gi, '').toUpperCase();
  if (compact !== '') return { id: compact, isIban: true };
  const parts = [bank, branch, account].map(text).filter((part) => part !== null);
  return { id: parts.join('-') || NOTHING, isIban: false };
}

/** Exempt, which is another category, needs a reason, and documents have none. */
function categoryOf(rate: number): VatCategory {
  return rate > 0 ? 'S' : 'Z';
}

function lineOf(item: IssuedContent['items'][number]): EInvoiceLine {
  const { description, quantity, unitPrice: price, discountPercent: percent, vatRate, lineTotal: net } = item;
  const base = decimal(toMoney(decimal(quantity).times(price)));
  const discount = { percent, base: base.toNumber(), amount: toMoney(base.minus(net)) };
  return {
    ...{ name: text(description) ?? NOTHING, quantity, price, net, vatRate },
    discount: percent === 0 ? null : discount,
    vatCategory: categoryOf(vatRate),
  };
}

/** On one line; null if there is nothing to print. */
function text(value: string | null): string | null {
  return printableLine(value ?? '') || null;
}
