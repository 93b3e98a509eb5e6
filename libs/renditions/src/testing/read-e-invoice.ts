import { XMLParser, XMLValidator } from 'fast-xml-parser';

type Parsed = string | { readonly [name: string]: Parsed | readonly Parsed[] };

/** The figures of an e-invoice, as its XML has them. */
export interface ReadFigures {
  readonly totals: Readonly<Record<'net' | 'base' | 'tax' | 'gross' | 'paid' | 'rounding' | 'due', string>>;
  readonly vat: readonly Readonly<Record<'category' | 'rate' | 'base' | 'tax', string>>[];
  readonly lines: readonly Readonly<
    Record<'name' | 'quantity' | 'price' | 'allowance' | 'net' | 'category' | 'rate', string>
  >[];
}

const PARSER = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
});

/** The root element, without prefixes. */
export function parseEInvoice(xml: string): Parsed {
  const valid = XMLValidator.validate(xml);
  if (valid !== true) throw new Error(`the XML is not well-formed: ${valid.err.msg}`);
  const { '?xml': _, ...roots } = PARSER.parse(xml) as Record<string, Parsed>;
  return Object.values(roots)[0] ?? '';
}

/** All elements at a path. */
export function allAt(from: Parsed, path: string): Parsed[] {
  return path
    .split('/')
    .reduce<Parsed[]>((level, name) => level.flatMap((one) => childrenOf(one, name)), [from]);
}

/** The text of the first element at a path; empty if there is none. */
export function textAt(from: Parsed, path: string): string {
  const [first = ''] = allAt(from, path);
  const text = typeof first === 'string' ? first : first['#text'];
  return typeof text === 'string' ? text : '';
}

function childrenOf(element: Parsed, name: string): readonly Parsed[] {
  const child = typeof element === 'string' ? undefined : element[name];
  if (child === undefined) return [];
  return isList(child) ? child : [child];
}

const isList = (value: Parsed | readonly Parsed[]): value is readonly Parsed[] => Array.isArray(value);

export function ublFigures(root: Parsed): ReadFigures {
  const totals = (name: string) => textAt(root, `LegalMonetaryTotal/${name}`);
  return {
    totals: {
      net: totals('LineExtensionAmount'),
      base: totals('TaxExclusiveAmount'),
      tax: textAt(root, 'TaxTotal/TaxAmount'),
      gross: totals('TaxInclusiveAmount'),
      paid: totals('PrepaidAmount'),
      rounding: totals('PayableRoundingAmount'),
      due: totals('PayableAmount'),
    },
    vat: allAt(root, 'TaxTotal/TaxSubtotal').map((vat) => ({
      category: textAt(vat, 'TaxCategory/ID'),
      rate: textAt(vat, 'TaxCategory/Percent'),
      base: textAt(vat, 'TaxableAmount'),
      tax: textAt(vat, 'TaxAmount'),
    })),
    lines: [...allAt(root, 'InvoiceLine'), ...allAt(root, 'CreditNoteLine')].map((line) => ({
      name: textAt(line, 'Item/Name'),
      quantity: textAt(line, 'InvoicedQuantity') || textAt(line, 'CreditedQuantity'),
      price: textAt(line, 'Price/PriceAmount'),
      allowance: textAt(line, 'AllowanceCharge/Amount'),
      net: textAt(line, 'LineExtensionAmount'),
      category: textAt(line, 'Item/ClassifiedTaxCategory/ID'),
      rate: textAt(line, 'Item/ClassifiedTaxCategory/Percent'),
    })),
  };
}

const TRADE = 'SupplyChainTradeTransaction';
const SETTLEMENT = `${TRADE}/ApplicableHeaderTradeSettlement`;
const OF_LINE = 'SpecifiedLineTradeSettlement';

export function ciiFigures(root: Parsed): ReadFigures {
  const totals = (name: string) =>
    textAt(root, `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation/${name}`);
  return {
    totals: {
      net: totals('LineTotalAmount'),
      base: totals('TaxBasisTotalAmount'),
      tax: totals('TaxTotalAmount'),
      gross: totals('GrandTotalAmount'),
      paid: totals('TotalPrepaidAmount'),
      rounding: totals('RoundingAmount'),
      due: totals('DuePayableAmount'),
    },
    vat: allAt(root, `${SETTLEMENT}/ApplicableTradeTax`).map((vat) => ({
      category: textAt(vat, 'CategoryCode'),
      rate: textAt(vat, 'RateApplicablePercent'),
      base: textAt(vat, 'BasisAmount'),
      tax: textAt(vat, 'CalculatedAmount'),
    })),
    lines: allAt(root, `${TRADE}/IncludedSupplyChainTradeLineItem`).map((line) => ({
      name: textAt(line, 'SpecifiedTradeProduct/Name'),
      quantity: textAt(line, 'SpecifiedLineTradeDelivery/BilledQuantity'),
      price: textAt(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
      allowance: textAt(line, `${OF_LINE}/SpecifiedTradeAllowanceCharge/ActualAmount`),
      net: textAt(line, `${OF_LINE}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`),
      category: textAt(line, `${OF_LINE}/ApplicableTradeTax/CategoryCode`),
      rate: textAt(line, `${OF_LINE}/ApplicableTradeTax/RateApplicablePercent`),
    })),
  };
}
