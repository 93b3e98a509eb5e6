import { isTaxNumber } from './business-number';
import { addsUp, amount, type Stated, sum } from './values';
import { elementAt, elementsAt, textAt, type XmlElement } from './xml-element';

// The first name is that of CII since 2013, the second that of ZUGFeRD 1.
const HEADER = 'ExchangedDocument|HeaderExchangedDocument';
const TRADE = 'SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction';
const AGREEMENT = 'ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement';
const SETTLEMENT = 'ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement';
const SUMMATION = 'SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation';

export function isCii(root: XmlElement): boolean {
  return root.name === 'CrossIndustryInvoice' || root.name === 'CrossIndustryDocument';
}

/** Cross Industry Invoice of UN/CEFACT: Factur-X, ZUGFeRD, XRechnung. */
export function readCii(root: XmlElement): Stated {
  const header = elementAt(root, HEADER);
  const trade = elementAt(root, TRADE);
  const seller = elementAt(trade, `${AGREEMENT}/SellerTradeParty`);
  const settlement = elementAt(trade, SETTLEMENT);
  const currency = textAt(settlement, 'InvoiceCurrencyCode');
  const tax = amountAt(settlement, 'TaxTotalAmount', currency) ?? addedTax(settlement, currency);
  return {
    vendorName: textAt(seller, 'Name', 'SpecifiedLegalOrganization/TradingBusinessName'),
    vendorTaxId: taxIdOf(seller),
    documentNumber: textAt(header, 'ID'),
    date: dateOf(header),
    currency,
    total: totalOf(settlement, currency, tax),
    tax,
  };
}

/** Returns the VAT registration number, or else the number at the tax office. */
function taxIdOf(seller: XmlElement | undefined): string | undefined {
  const ids = elementsAt(seller, 'SpecifiedTaxRegistration/ID').filter(({ text }) => /\d/.test(text));
  const vat = ids.find(({ attributes }) => attributes['schemeID'] === 'VA');
  if (vat ?? ids[0]) return (vat ?? ids[0])?.text;
  const legal = elementAt(seller, 'SpecifiedLegalOrganization/ID');
  const country = textAt(seller, 'PostalTradeAddress/CountryID');
  return isTaxNumber(legal?.attributes['schemeID'], country) ? legal?.text : undefined;
}

/** Format 102 is YYYYMMDD. Format 203 has a time after it. Formats for weeks and months are not dates. */
function dateOf(header: XmlElement | undefined): string | undefined {
  const text = elementAt(header, 'IssueDateTime/DateTimeString');
  const format = text?.attributes['format'] ?? '102';
  if (text?.text) return /^(102|203)$/.test(format) ? text.text : undefined;
  return textAt(header, 'IssueDateTime/DateTime', 'IssueDateTime');
}

function amountAt(
  settlement: XmlElement | undefined,
  name: string,
  currency: string | undefined,
): number | undefined {
  const stated = elementsAt(settlement, `${SUMMATION}/${name}`);
  const own = stated.find(({ attributes }) => attributes['currencyID'] === currency);
  const unmarked = stated.find(({ attributes }) => !attributes['currencyID']);
  return amount((own ?? unmarked)?.text);
}

/** If nothing was paid before, the total is the amount to pay before rounding. */
function totalOf(
  settlement: XmlElement | undefined,
  currency: string | undefined,
  tax: number | undefined,
): number | undefined {
  const gross = amountAt(settlement, 'GrandTotalAmount', currency);
  if (gross !== undefined) return gross;
  const net = amountAt(settlement, 'TaxBasisTotalAmount', currency);
  if (net !== undefined && tax !== undefined) return sum([net, tax]);
  const payable = amountAt(settlement, 'DuePayableAmount', currency);
  const prepaid = amountAt(settlement, 'TotalPrepaidAmount', currency) ?? 0;
  const rounding = amountAt(settlement, 'RoundingAmount', currency) ?? 0;
  return prepaid === 0 && payable !== undefined ? sum([payable, -rounding]) : undefined;
}

/** Returns the sum of the taxes for each rate if the document does not state their total. */
function addedTax(settlement: XmlElement | undefined, currency: string | undefined): number | undefined {
  const taxes = elementsAt(settlement, 'ApplicableTradeTax/CalculatedAmount').map(({ text }) => amount(text));
  const added = sum(taxes);
  const net = amountAt(settlement, 'TaxBasisTotalAmount', currency);
  return addsUp(net, added, amountAt(settlement, 'GrandTotalAmount', currency)) ? added : undefined;
}
