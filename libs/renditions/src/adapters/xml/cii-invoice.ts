import type { PlainDate } from '@counterfoil/kernel';
import type {
  EInvoice,
  EInvoiceAddress,
  EInvoiceDiscount,
  EInvoiceLine,
  EInvoiceParty,
  EInvoiceSeller,
} from '../../application/ports/e-invoice';
import { money, plain, type XmlElement } from './xml-content';

const NAMESPACE = 'urn:un:unece:uncefact:data:standard';
const VAT = 'VAT';

/** Maps an e-invoice to the Cross Industry Invoice D16B (EN 16931-3-3). The order of the elements is that of the schema. */
export function ciiInvoice(invoice: EInvoice): XmlElement {
  return {
    'rsm:CrossIndustryInvoice': {
      '@xmlns:rsm': `${NAMESPACE}:CrossIndustryInvoice:100`,
      '@xmlns:ram': `${NAMESPACE}:ReusableAggregateBusinessInformationEntity:100`,
      '@xmlns:udt': `${NAMESPACE}:UnqualifiedDataType:100`,
      'rsm:ExchangedDocumentContext': {
        'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': 'urn:cen.eu:en16931:2017' },
      },
      'rsm:ExchangedDocument': {
        'ram:ID': invoice.number,
        // Codes of UNTDID 1001.
        'ram:TypeCode': invoice.kind === 'invoice' ? '380' : '381',
        'ram:IssueDateTime': dateOf(invoice.issueDate),
        'ram:IncludedNote': invoice.note === null ? undefined : { 'ram:Content': invoice.note },
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': invoice.lines.map((line, index) => lineOf(line, index + 1)),
        'ram:ApplicableHeaderTradeAgreement': agreementOf(invoice),
        'ram:ApplicableHeaderTradeDelivery': {},
        'ram:ApplicableHeaderTradeSettlement': settlementOf(invoice),
      },
    },
  };
}

/** Format 102 is YYYYMMDD. */
function dateOf(date: PlainDate): XmlElement {
  return { 'udt:DateTimeString': { '@format': '102', '#text': date.replaceAll('-', '') } };
}

function agreementOf({ seller, buyer, supportingDocuments }: EInvoice): XmlElement {
  return {
    'ram:SellerTradeParty': sellerOf(seller),
    'ram:BuyerTradeParty': partyOf(buyer),
    'ram:AdditionalReferencedDocument': supportingDocuments.map(({ id, description }) => ({
      'ram:IssuerAssignedID': id,
      // A related document, by UNTDID 1001.
      'ram:TypeCode': '916',
      'ram:Name': description,
    })),
  };
}

function sellerOf(seller: EInvoiceSeller): XmlElement {
  const { tradingName, phone, email } = seller;
  const { 'ram:Name': name, ...rest } = partyOf(seller);
  const contact = {
    'ram:TelephoneUniversalCommunication': phone === null ? undefined : { 'ram:CompleteNumber': phone },
    'ram:EmailURIUniversalCommunication': email === null ? undefined : { 'ram:URIID': email },
  };
  return {
    'ram:Name': name,
    'ram:SpecifiedLegalOrganization':
      tradingName === null ? undefined : { 'ram:TradingBusinessName': tradingName },
    'ram:DefinedTradeContact': phone === null && email === null ? undefined : contact,
    ...rest,
  };
}

function partyOf({ name, vatId, address }: EInvoiceParty): XmlElement {
  return {
    'ram:Name': name,
    'ram:PostalTradeAddress': addressOf(address),
    'ram:SpecifiedTaxRegistration':
      vatId === null ? undefined : { 'ram:ID': { '@schemeID': 'VA', '#text': vatId } },
  };
}

function addressOf({ street, city, postCode, country }: EInvoiceAddress): XmlElement {
  return {
    'ram:PostcodeCode': postCode ?? undefined,
    'ram:LineOne': street ?? undefined,
    'ram:CityName': city ?? undefined,
    'ram:CountryID': country,
  };
}

function settlementOf(invoice: EInvoice): XmlElement {
  const { currency, accounts, vat, precedingInvoices } = invoice;
  return {
    'ram:InvoiceCurrencyCode': currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': accounts.map(({ id, isIban }) => ({
      // A credit transfer, by UNTDID 4461.
      'ram:TypeCode': '30',
      'ram:PayeePartyCreditorFinancialAccount': { [isIban ? 'ram:IBANID' : 'ram:ProprietaryID']: id },
    })),
    'ram:ApplicableTradeTax': vat.map(({ category, rate, base, tax }) => ({
      'ram:CalculatedAmount': money(tax),
      'ram:TypeCode': VAT,
      'ram:BasisAmount': money(base),
      'ram:CategoryCode': category,
      'ram:RateApplicablePercent': plain(rate),
    })),
    'ram:BillingSpecifiedPeriod': periodOf(invoice),
    'ram:SpecifiedTradePaymentTerms': paymentTermsOf(invoice),
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': totalsOf(invoice),
    'ram:InvoiceReferencedDocument': precedingInvoices.map((id) => ({ 'ram:IssuerAssignedID': id })),
  };
}

function periodOf({ period }: EInvoice): XmlElement | undefined {
  if (period === null) return undefined;
  return { 'ram:StartDateTime': dateOf(period.from), 'ram:EndDateTime': dateOf(period.until) };
}

function paymentTermsOf({ paymentTerms, dueDate }: EInvoice): XmlElement | undefined {
  if (paymentTerms === null && dueDate === null) return undefined;
  return {
    'ram:Description': paymentTerms ?? undefined,
    'ram:DueDateDateTime': dueDate === null ? undefined : dateOf(dueDate),
  };
}

function totalsOf({ totals, currency }: EInvoice): XmlElement {
  const { net, tax, gross, paid, rounding, due } = totals;
  return {
    'ram:LineTotalAmount': money(net),
    'ram:TaxBasisTotalAmount': money(net),
    'ram:TaxTotalAmount': { '@currencyID': currency, '#text': money(tax) },
    'ram:RoundingAmount': rounding === 0 ? undefined : money(rounding),
    'ram:GrandTotalAmount': money(gross),
    'ram:TotalPrepaidAmount': paid === 0 ? undefined : money(paid),
    'ram:DuePayableAmount': money(due),
  };
}

function lineOf(line: EInvoiceLine, number: number): XmlElement {
  const { name, quantity, price, discount, net, vatCategory, vatRate } = line;
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': String(number) },
    'ram:SpecifiedTradeProduct': { 'ram:Name': name },
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': { 'ram:ChargeAmount': plain(price) },
    },
    'ram:SpecifiedLineTradeDelivery': {
      // C62 is a piece, or a unit without a name.
      'ram:BilledQuantity': { '@unitCode': 'C62', '#text': plain(quantity) },
    },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': {
        'ram:TypeCode': VAT,
        'ram:CategoryCode': vatCategory,
        'ram:RateApplicablePercent': plain(vatRate),
      },
      'ram:SpecifiedTradeAllowanceCharge': discount === null ? undefined : discountOf(discount),
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': money(net) },
    },
  };
}

function discountOf({ percent, base, amount }: EInvoiceDiscount): XmlElement {
  return {
    'ram:ChargeIndicator': { 'udt:Indicator': 'false' },
    'ram:CalculationPercent': plain(percent),
    'ram:BasisAmount': money(base),
    'ram:ActualAmount': money(amount),
    'ram:ReasonCode': '95',
    'ram:Reason': 'Discount',
  };
}
