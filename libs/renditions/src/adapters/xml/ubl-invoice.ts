import type {
  EInvoice,
  EInvoiceAddress,
  EInvoiceLine,
  EInvoiceParty,
  EInvoiceSeller,
  EInvoiceVat,
} from '../../application/ports/e-invoice';
import { money, plain, type XmlElement } from './xml-content';

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd';
/** Codes of UNTDID 1001. */
const TYPE_CODES = { invoice: '380', 'credit-note': '381' } as const;
const CREDIT_TRANSFER = '30';
const VAT = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

/** The names that differ between the two documents of UBL. */
const NAMES = {
  invoice: {
    root: 'Invoice',
    typeCode: 'cbc:InvoiceTypeCode',
    line: 'cac:InvoiceLine',
    quantity: 'cbc:InvoicedQuantity',
  },
  'credit-note': {
    root: 'CreditNote',
    typeCode: 'cbc:CreditNoteTypeCode',
    line: 'cac:CreditNoteLine',
    quantity: 'cbc:CreditedQuantity',
  },
} as const;

/** Maps an e-invoice to UBL 2.1 (EN 16931-3-2). The order of the elements is that of the schema. */
export function ublInvoice(invoice: EInvoice): XmlElement {
  const { kind, currency } = invoice;
  const { root, typeCode, line } = NAMES[kind];
  return {
    [root]: {
      '@xmlns': `${NAMESPACE}:${root}-2`,
      '@xmlns:cac': `${NAMESPACE}:CommonAggregateComponents-2`,
      '@xmlns:cbc': `${NAMESPACE}:CommonBasicComponents-2`,
      'cbc:CustomizationID': 'urn:cen.eu:en16931:2017',
      'cbc:ID': invoice.number,
      'cbc:IssueDate': invoice.issueDate,
      'cbc:DueDate': invoice.dueDate ?? undefined,
      [typeCode]: TYPE_CODES[kind],
      'cbc:Note': invoice.note ?? undefined,
      'cbc:DocumentCurrencyCode': currency,
      'cac:InvoicePeriod': periodOf(invoice),
      'cac:BillingReference': invoice.precedingInvoices.map((id) => ({
        'cac:InvoiceDocumentReference': { 'cbc:ID': id },
      })),
      'cac:AdditionalDocumentReference': invoice.supportingDocuments.map(({ id, description }) => ({
        'cbc:ID': id,
        'cbc:DocumentDescription': description,
      })),
      'cac:AccountingSupplierParty': { 'cac:Party': sellerOf(invoice.seller) },
      'cac:AccountingCustomerParty': { 'cac:Party': partyOf(invoice.buyer) },
      'cac:PaymentMeans': invoice.accounts.map(({ id }) => ({
        'cbc:PaymentMeansCode': CREDIT_TRANSFER,
        'cac:PayeeFinancialAccount': { 'cbc:ID': id },
      })),
      'cac:PaymentTerms': invoice.paymentTerms === null ? undefined : { 'cbc:Note': invoice.paymentTerms },
      'cac:TaxTotal': {
        'cbc:TaxAmount': amount(invoice.totals.tax, currency),
        'cac:TaxSubtotal': invoice.vat.map((vat) => vatOf(vat, currency)),
      },
      'cac:LegalMonetaryTotal': totalsOf(invoice),
      [line]: invoice.lines.map((each, index) => lineOf(each, index + 1, invoice)),
    },
  };
}

function periodOf({ period }: EInvoice): XmlElement | undefined {
  return period === null ? undefined : { 'cbc:StartDate': period.from, 'cbc:EndDate': period.until };
}

function amount(value: number, currency: string): XmlElement {
  return { '@currencyID': currency, '#text': money(value) };
}

function sellerOf(seller: EInvoiceSeller): XmlElement {
  const { tradingName, phone, email } = seller;
  const contact = { 'cbc:Telephone': phone ?? undefined, 'cbc:ElectronicMail': email ?? undefined };
  return {
    'cac:PartyName': tradingName === null ? undefined : { 'cbc:Name': tradingName },
    ...partyOf(seller),
    'cac:Contact': phone === null && email === null ? undefined : contact,
  };
}

function partyOf({ name, vatId, address }: EInvoiceParty): XmlElement {
  return {
    'cac:PostalAddress': addressOf(address),
    'cac:PartyTaxScheme': vatId === null ? undefined : { 'cbc:CompanyID': vatId, ...VAT },
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
  };
}

function addressOf({ street, city, postCode, country }: EInvoiceAddress): XmlElement {
  return {
    'cbc:StreetName': street ?? undefined,
    'cbc:CityName': city ?? undefined,
    'cbc:PostalZone': postCode ?? undefined,
    'cac:Country': { 'cbc:IdentificationCode': country },
  };
}

function vatOf({ category, rate, base, tax }: EInvoiceVat, currency: string): XmlElement {
  return {
    'cbc:TaxableAmount': amount(base, currency),
    'cbc:TaxAmount': amount(tax, currency),
    'cac:TaxCategory': { 'cbc:ID': category, 'cbc:Percent': plain(rate), ...VAT },
  };
}

function totalsOf({ totals, currency }: EInvoice): XmlElement {
  const { net, gross, paid, rounding, due } = totals;
  return {
    'cbc:LineExtensionAmount': amount(net, currency),
    'cbc:TaxExclusiveAmount': amount(net, currency),
    'cbc:TaxInclusiveAmount': amount(gross, currency),
    'cbc:PrepaidAmount': paid === 0 ? undefined : amount(paid, currency),
    'cbc:PayableRoundingAmount': rounding === 0 ? undefined : amount(rounding, currency),
    'cbc:PayableAmount': amount(due, currency),
  };
}

function lineOf(line: EInvoiceLine, number: number, { kind, currency }: EInvoice): XmlElement {
  const { name, quantity, price, discount, net, vatCategory, vatRate } = line;
  return {
    'cbc:ID': String(number),
    // C62 is a piece, or a unit without a name.
    [NAMES[kind].quantity]: { '@unitCode': 'C62', '#text': plain(quantity) },
    'cbc:LineExtensionAmount': amount(net, currency),
    'cac:AllowanceCharge':
      discount === null
        ? undefined
        : {
            'cbc:ChargeIndicator': 'false',
            'cbc:AllowanceChargeReasonCode': '95',
            'cbc:AllowanceChargeReason': 'Discount',
            'cbc:MultiplierFactorNumeric': plain(discount.percent),
            'cbc:Amount': amount(discount.amount, currency),
            'cbc:BaseAmount': amount(discount.base, currency),
          },
    'cac:Item': {
      'cbc:Name': name,
      'cac:ClassifiedTaxCategory': { 'cbc:ID': vatCategory, 'cbc:Percent': plain(vatRate), ...VAT },
    },
    'cac:Price': { 'cbc:PriceAmount': { '@currencyID': currency, '#text': plain(price) } },
  };
}
