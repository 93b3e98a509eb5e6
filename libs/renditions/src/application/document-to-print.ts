import type { DocumentLanguage, PostalAddress } from '@counterfoil/kernel';
import {
  type DocumentType,
  type IssuedContent,
  partiesOf,
  periodOf,
  type Previewed,
  roundingOf,
  vatByRate,
  withheldFrom,
} from '@counterfoil/documents';
import type { BankAccount } from '@counterfoil/identity';
import {
  type DocumentState,
  languageOf,
  type PageChoice,
  type RenditionChoice,
  variantOf,
} from '../domain/rendition';
import { labelsOf } from './ports/page-parts';
import type { RenditionKey } from './ports/renditions';
import type {
  PrintableDocument,
  PrintableLogo,
  PrintablePage,
  PrintableRecipient,
  PrintStamp,
} from './ports/printable-document';
import type { PreviewContent } from './temporary-content';

/** The content of a document's pages, whether it is issued or not. */
type Content = Previewed['draft'] & Pick<IssuedContent, 'parties' | 'settledAtIssue'>;

/**
 * The language of the pages that a choice names: else that of documents to the client, else that of the company's documents,
 * else that of the texts.
 */
export function pageLanguageOf(document: Content, choice: Pick<PageChoice, 'language'>): DocumentLanguage {
  const { issuer, recipient } = document.parties;
  const named = choice.language ?? recipient.documentLanguage ?? issuer.documentLanguage;
  return named ?? languageOf(textsOf(document));
}

/** Names the file that a choice asks for, in the document's present state. */
export function keyOf(document: IssuedContent, companyId: number, choice: RenditionChoice): RenditionKey {
  const variant = variantOf(choice, pageLanguageOf(document, choice), stateOf(document));
  return { companyId, documentId: document.id, variant };
}

export function documentToPrint(
  document: IssuedContent,
  choice: PageChoice,
  logo: PrintableLogo | null,
): PrintableDocument {
  const printing = {
    number: document.number,
    stamp: choice.stamp,
    language: pageLanguageOf(document, choice),
    logo,
  };
  return { ...pageToPrint(document, printing), eInvoice: null, createdAt: document.createdAt };
}

/** The document as its pages would be if it were issued now, marked as a preview. */
export function previewToPrint(
  { draft, company, entity, withholding, settledAtIssue }: Previewed,
  logo: PrintableLogo | null,
): PrintablePage {
  const content = { ...draft, parties: partiesOf(company, entity, withholding), settledAtIssue };
  return pageToPrint(content, {
    number: null,
    stamp: 'preview',
    language: pageLanguageOf(content, { language: null }),
    logo,
  });
}

/** All that the PDF of a preview shows. It counts as created on its issue date at midnight UTC, so its bytes do not change. */
export function previewContent(preview: Previewed): PreviewContent {
  const { issuer, ...page } = previewToPrint(preview, null);
  const { logo: _, ...shown } = issuer;
  const { logoFileId } = preview.company;
  return { ...page, issuer: shown, eInvoice: null, createdAt: new Date(page.issueDate), logoFileId };
}

interface Printing {
  readonly number: number | null;
  readonly stamp: PrintStamp;
  readonly language: DocumentLanguage;
  readonly logo: PrintableLogo | null;
}

function pageToPrint(document: Content, { logo, ...printing }: Printing): PrintablePage {
  const { issuer, recipient } = document.parties;
  const { withholding } = recipient;
  return {
    ...printing,
    type: document.type,
    cancellation: document.cancelled ? { reason: document.cancellationReason } : null,
    issueDate: document.issueDate,
    dueDate: document.dueDate,
    currency: document.currency,
    externalId: document.externalId,
    allocationNumber: document.allocationNumber,
    allocationNumberPending: stateOf(document).isAllocationNumberPending,
    issuer: { ...printableIssuer(issuer, printing.language), ...unasked(document), logo },
    recipient: printableRecipient(recipient),
    items: document.items,
    vatByRate: vatByRate(document.items),
    amount: document.amount,
    tax: document.tax,
    rounding: roundingOf(document),
    totalWithTax: document.totalWithTax,
    withheld: withholding === undefined ? null : withheldFrom(document, withholding),
    payments: document.payments,
    settles: document.settledAtIssue,
    period: periodOf(document),
    notes: document.notes,
  };
}

/** The types that ask their recipient to pay, now or once it agrees. An order may be one to a vendor. */
const ASKING: readonly DocumentType[] = ['TAX_INVOICE', 'PROFORMA', 'QUOTE'];

/** Leaves out the bank accounts of a document that asks for no payment, or of which nothing is to be paid. */
export const unasked = ({ type, totalWithTax }: Pick<Content, 'type' | 'totalWithTax'>) =>
  ASKING.includes(type) && totalWithTax > 0 ? {} : { bankAccounts: [] };

export function printableIssuer(
  issuer: Content['parties']['issuer'],
  language: DocumentLanguage,
): Omit<PrintablePage['issuer'], 'logo'> {
  return {
    name: issuer.name,
    legalName: issuer.legalName,
    taxId: issuer.taxId,
    addressLines: addressLines(issuer.address),
    phone: issuer.phoneNumber,
    email: issuer.email,
    website: issuer.website,
    bankAccounts: issuer.bankAccounts.flatMap((account) => printableAccount(account, language)),
    footer: issuer.documentFooter,
    accentColor: issuer.accentColor,
  };
}

export function printableRecipient({
  name,
  taxId,
  address,
}: Content['parties']['recipient']): PrintableRecipient {
  return { name, taxId, addressLines: addressLines(address) };
}

function stateOf(document: Content): DocumentState {
  const { cancelled, allocationNumber, allocationNumberStatus, parties, payments } = document;
  return {
    ...{ cancelled, allocationNumber, isAllocationNumberPending: allocationNumberStatus === 'PENDING' },
    hasWithholdingOrNotes:
      parties.recipient.withholding !== undefined || payments.some(({ note }) => note !== null),
  };
}

function textsOf({ parties, items, notes, externalId }: Content): (string | null)[] {
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

function printableAccount({ bank, branch, account, iban }: BankAccount, language: DocumentLanguage) {
  const label = branch === null ? bank : `${bank}, ${labelsOf(language).branch} ${branch}`;
  const groups = iban?.match(/.{1,4}/g) ?? [];
  return [{ label, value: account }, ...(iban === null ? [] : [{ label: 'IBAN', value: groups.join(' ') }])];
}
