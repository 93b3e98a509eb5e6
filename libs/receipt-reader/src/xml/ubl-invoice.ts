import { isTaxNumber, isTaxScheme } from './business-number';
import { addsUp, amount, type Stated, sum } from './values';
import { elementAt, elementsAt, textAt, type XmlElement } from './xml-element';

const SUPPLIER =
  'AccountingSupplierParty/Party|SellerSupplierParty/Party|AccountingSupplierParty|SellerParty'.split('|');
const TOTALS = 'LegalMonetaryTotal|RequestedMonetaryTotal';

/** True if the root is a UBL 2 invoice or note, or a format derived from it (ISDOC). */
export function isUbl(root: XmlElement): boolean {
  const isNamed = /^(SelfBilled)?(Invoice|CreditNote|DebitNote)$/.test(root.name);
  return isNamed && elementAt(root, TOTALS) !== undefined && elementAt(root, 'ID') !== undefined;
}

/**
 * EN 16931 and the national variants of UBL: BT-1 number, BT-2 date, BT-5 currency, BT-110 tax, BT-112 total.
 */
export function readUbl(root: XmlElement): Stated {
  const supplier = SUPPLIER.map((path) => elementAt(root, path)).find((party) => party !== undefined);
  const currency = textAt(root, 'DocumentCurrencyCode', 'LocalCurrencyCode') ?? currencyOfTotals(root);
  const tax = taxOf(root, currency);
  return {
    vendorName: nameOf(supplier),
    vendorTaxId: taxIdOf(supplier),
    documentNumber: textAt(root, 'ID'),
    date: textAt(root, 'IssueDate'),
    currency,
    total: totalOf(root, currency, tax),
    tax,
  };
}

function nameOf(party: XmlElement | undefined): string | undefined {
  const paths = ['PartyLegalEntity/RegistrationName', 'PartyName/Name', 'PartyTaxScheme/RegistrationName'];
  const person = elementAt(party, 'Person');
  const names = ['FirstName', 'MiddleName', 'FamilyName'].map((name) => textAt(person, name) ?? '');
  return textAt(party, ...paths) ?? (names.join(' ').replace(/\s+/g, ' ').trim() || undefined);
}

function taxIdOf(party: XmlElement | undefined): string | undefined {
  const schemes = elementsAt(party, 'PartyTaxScheme').filter((scheme) =>
    /\d/.test(textAt(scheme, 'CompanyID') ?? ''),
  );
  const vat = schemes.find((scheme) => /^(VAT|GST)$/i.test(textAt(scheme, 'TaxScheme/ID') ?? ''));
  const registered = textAt(vat ?? schemes[0], 'CompanyID');
  return registered ?? identified(party) ?? legalNumber(party);
}

/** The tax id in UBL-TR: `PartyIdentification/ID[schemeID=VKN]`. */
function identified(party: XmlElement | undefined): string | undefined {
  const ids = elementsAt(party, 'PartyIdentification/ID');
  return ids.find(({ attributes }) => isTaxScheme(attributes['schemeID']))?.text;
}

function legalNumber(party: XmlElement | undefined): string | undefined {
  const country = textAt(party, 'PostalAddress/Country/IdentificationCode');
  const ids = elementsAt(party, 'PartyLegalEntity/CompanyID');
  return ids.find(({ attributes }) => isTaxNumber(attributes['schemeID'], country))?.text;
}

function currencyOfTotals(root: XmlElement): string | undefined {
  return textAt(root, `${TOTALS}/TaxInclusiveAmount/@currencyID`, `${TOTALS}/PayableAmount/@currencyID`);
}

/**
 * Returns the amounts in the document currency. Some documents repeat them in the currency of the tax office.
 */
function amountsAt(root: XmlElement, path: string, currency: string | undefined): number[] {
  return elementsAt(root, path)
    .filter(({ attributes: { currencyID } }) => !currencyID || !currency || currencyID === currency)
    .map(({ text }) => amount(text))
    .filter((one) => one !== undefined);
}

/**
 * Several tax totals may be several taxes, or one tax stated twice. Returns the one that makes net + tax =
 * gross, or their sum if only that does, or else the first.
 */
function taxOf(root: XmlElement, currency: string | undefined): number | undefined {
  const taxes = amountsAt(root, 'TaxTotal/TaxAmount', currency);
  const [net] = amountsAt(root, `${TOTALS}/TaxExclusiveAmount`, currency);
  const [gross] = amountsAt(root, `${TOTALS}/TaxInclusiveAmount`, currency);
  return [...taxes, sum(taxes)].find((tax) => addsUp(net, tax, gross)) ?? taxes[0];
}

/** The total with tax and before rounding, regardless of earlier payments. */
function totalOf(
  root: XmlElement,
  currency: string | undefined,
  tax: number | undefined,
): number | undefined {
  const [gross] = amountsAt(root, `${TOTALS}/TaxInclusiveAmount`, currency);
  if (gross !== undefined) return gross;
  const [net] = amountsAt(root, `${TOTALS}/TaxExclusiveAmount`, currency);
  if (net !== undefined && tax !== undefined) return sum([net, tax]);
  const [payable] = amountsAt(root, `${TOTALS}/PayableAmount`, currency);
  const [prepaid = 0] = amountsAt(root, `${TOTALS}/PrepaidAmount`, currency);
  const [rounding = 0] = amountsAt(root, `${TOTALS}/PayableRoundingAmount`, currency);
  return prepaid === 0 && payable !== undefined ? sum([payable, -rounding]) : undefined;
}
