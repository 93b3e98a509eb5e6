import type { DocumentLanguage, PostalAddress } from '@counterfoil/kernel';
import { type IssuedContent, roundingOf, vatByRate } from '@counterfoil/documents';
import type { BankAccount } from '@counterfoil/identity';
import { type DocumentState, languageOf, type RenditionChoice, variantOf } from '../domain/rendition';
import type { RenditionKey } from './ports/renditions';
import type { PrintableDocument } from './ports/printable-document';

/** The rendition of a document that a choice names, in the document's present state. */
export interface ChosenRendition {
  readonly language: DocumentLanguage;
  readonly variant: string;
}

export function chosenRendition(document: IssuedContent, choice: RenditionChoice): ChosenRendition {
  const language =
    choice.language ?? document.parties.issuer.documentLanguage ?? languageOf(textsOf(document));
  return { language, variant: variantOf(choice, language, stateOf(document)) };
}

export function keyOf(document: IssuedContent, companyId: number, choice: RenditionChoice): RenditionKey {
  const { variant } = chosenRendition(document, choice);
  return { companyId, documentId: document.id, variant };
}

export function documentToPrint(document: IssuedContent, choice: RenditionChoice): PrintableDocument {
  const { language } = chosenRendition(document, choice);
  const { issuer, recipient } = document.parties;
  const { isAllocationNumberPending } = stateOf(document);
  return {
    type: document.type,
    number: document.number,
    language,
    stamp: choice.stamp,
    cancellation: document.cancelled ? { reason: document.cancellationReason } : null,
    issueDate: document.issueDate,
    dueDate: document.dueDate,
    currency: document.currency,
    externalId: document.externalId,
    allocationNumber: document.allocationNumber,
    allocationNumberPending: isAllocationNumberPending,
    issuer: {
      name: issuer.name,
      legalName: issuer.legalName,
      taxId: issuer.taxId,
      addressLines: addressLines(issuer.address),
      phones: issuer.phoneNumber === null ? [] : [issuer.phoneNumber],
      email: issuer.email,
      website: issuer.website,
      bankAccounts: issuer.bankAccounts.map(printableAccount),
      footer: issuer.documentFooter,
      accentColor: issuer.accentColor,
      logo: null,
    },
    recipient: {
      name: recipient.name,
      taxId: recipient.taxId,
      addressLines: addressLines(recipient.address),
    },
    items: document.items,
    vatByRate: vatByRate(document.items),
    amount: document.amount,
    tax: document.tax,
    rounding: roundingOf(document),
    totalWithTax: document.totalWithTax,
    payments: document.payments,
    settles: document.settledAtIssue,
    period: null,
    notes: document.notes,
    eInvoice: null,
    createdAt: document.createdAt,
  };
}

function stateOf({ cancelled, allocationNumber, allocationNumberStatus }: IssuedContent): DocumentState {
  return { cancelled, allocationNumber, isAllocationNumberPending: allocationNumberStatus === 'PENDING' };
}

function textsOf({ parties, items, notes, externalId }: IssuedContent): (string | null)[] {
  const { issuer, recipient } = parties;
  const names = [issuer.name, issuer.taxId, recipient.name, recipient.taxId];
  return [...names, notes, externalId, ...items.map(({ description }) => description)];
}

/** The country of most documents, which their addresses leave out. */
const HOME = 'IL';

function addressLines(address: PostalAddress | null): string[] {
  if (address === null) return [];
  const { street, houseNumber, city, zipCode, country } = address;
  const joined = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(' ');
  return [joined(street, houseNumber), joined(city, zipCode), ...(country === HOME ? [] : [country])];
}

function printableAccount({ bank, branch, account, iban }: BankAccount) {
  const number = [...(branch === null ? [] : [branch]), account].join(' / ');
  return { label: bank, value: iban === null ? number : `${number} · ${iban}` };
}
