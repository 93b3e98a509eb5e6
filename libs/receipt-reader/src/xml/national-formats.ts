import { amount, type Stated, sum } from './values';
import { elementAt, elementsAt, textAt, textsAt, type XmlElement } from './xml-element';

/** A national format: its root element, and the paths of the fields. */
interface NationalFormat {
  readonly root: string;
  /** An element that distinguishes it from other formats with the same root. */
  readonly mark: string;
  readonly read: (root: XmlElement) => Stated;
}

/** Joins the parts of a number or name. Returns undefined if there are none. */
function joined(root: XmlElement | undefined, paths: readonly string[], between = ''): string | undefined {
  const parts = paths.map((path) => textAt(root, path)).filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(between) : undefined;
}

function total(root: XmlElement | undefined, path: string): number | undefined {
  return sum(textsAt(root, path).map(amount));
}

/** A file may have several invoices. Of these, only the seller is read. */
function onlyOne(root: XmlElement, path: string): XmlElement | undefined {
  const [first, ...others] = elementsAt(root, path);
  return others.length === 0 ? first : undefined;
}

/** Some countries subtract the income tax that the customer withholds from the total. */
function beforeWithholding(stated: string | undefined, withheld: string | undefined): number | undefined {
  const payable = amount(stated);
  return payable === undefined ? undefined : sum([payable, amount(withheld)]);
}

/** Italy, FatturaPA. */
function readFatturaPa(root: XmlElement): Stated {
  const seller = elementAt(root, 'FatturaElettronicaHeader/CedentePrestatore/DatiAnagrafici');
  const body = onlyOne(root, 'FatturaElettronicaBody');
  const document = elementAt(body, 'DatiGenerali/DatiGeneraliDocumento');
  const tax = total(body, 'DatiBeniServizi/DatiRiepilogo/Imposta');
  const net = total(body, 'DatiBeniServizi/DatiRiepilogo/ImponibileImporto');
  return {
    vendorName:
      textAt(seller, 'Anagrafica/Denominazione') ??
      joined(seller, ['Anagrafica/Nome', 'Anagrafica/Cognome'], ' '),
    vendorTaxId:
      joined(seller, ['IdFiscaleIVA/IdPaese', 'IdFiscaleIVA/IdCodice']) ?? textAt(seller, 'CodiceFiscale'),
    documentNumber: textAt(document, 'Numero'),
    date: textAt(document, 'Data'),
    currency: textAt(document, 'Divisa'),
    total:
      amount(textAt(document, 'ImportoTotaleDocumento')) ?? (net === undefined ? undefined : sum([net, tax])),
    tax,
  };
}

/** Spain, Facturae. */
function readFacturae(root: XmlElement): Stated {
  const seller = elementAt(root, 'Parties/SellerParty');
  const invoice = onlyOne(root, 'Invoices/Invoice');
  const person = ['Individual/Name', 'Individual/FirstSurname', 'Individual/SecondSurname'];
  return {
    vendorName: textAt(seller, 'LegalEntity/CorporateName') ?? joined(seller, person, ' '),
    vendorTaxId: textAt(seller, 'TaxIdentification/TaxIdentificationNumber'),
    documentNumber: joined(invoice, ['InvoiceHeader/InvoiceSeriesCode', 'InvoiceHeader/InvoiceNumber']),
    date: textAt(invoice, 'InvoiceIssueData/IssueDate'),
    currency: textAt(invoice, 'InvoiceIssueData/InvoiceCurrencyCode'),
    total: beforeWithholding(
      textAt(invoice, 'InvoiceTotals/InvoiceTotal'),
      textAt(invoice, 'InvoiceTotals/TotalTaxesWithheld'),
    ),
    tax: amount(textAt(invoice, 'InvoiceTotals/TotalTaxOutputs')),
  };
}

/** Poland, KSeF: P_1 is the date, P_2 the number, P_14_1 to P_14_5 the taxes of the rates, P_15 the total. */
function readKsef(root: XmlElement): Stated {
  const seller = elementAt(root, 'Podmiot1/DaneIdentyfikacyjne');
  const invoice = elementAt(root, 'Fa');
  return {
    vendorName: textAt(seller, 'Nazwa', 'PelnaNazwa') ?? joined(seller, ['ImiePierwsze', 'Nazwisko'], ' '),
    vendorTaxId: textAt(seller, 'NIP'),
    documentNumber: textAt(invoice, 'P_2'),
    date: textAt(invoice, 'P_1'),
    currency: textAt(invoice, 'KodWaluty'),
    total: amount(textAt(invoice, 'P_15')),
    tax: total(invoice, 'P_14_1|P_14_2|P_14_3|P_14_4|P_14_5'),
  };
}

/** Mexico, CFDI. In version 3.2 attribute names are lower case. */
function readCfdi(root: XmlElement): Stated {
  const number = joined(root, ['@Serie', '@Folio']) ?? joined(root, ['@serie', '@folio']);
  // The amounts of a receipt of payment are in a complement, and those of the document are zero.
  const isPayment = textAt(root, '@TipoDeComprobante') === 'P';
  return {
    vendorName: textAt(root, 'Emisor/@Nombre', 'Emisor/@nombre'),
    vendorTaxId: textAt(root, 'Emisor/@Rfc', 'Emisor/@rfc'),
    documentNumber: number ?? textAt(root, 'Complemento/TimbreFiscalDigital/@UUID'),
    date: textAt(root, '@Fecha', '@fecha'),
    currency: textAt(root, '@Moneda', '@moneda'),
    ...(isPayment ? {} : amountsOfCfdi(root)),
  };
}

function amountsOfCfdi(root: XmlElement): Pick<Stated, 'total' | 'tax'> {
  return {
    total: beforeWithholding(
      textAt(root, '@Total', '@total'),
      textAt(root, 'Impuestos/@TotalImpuestosRetenidos', 'Impuestos/@totalImpuestosRetenidos'),
    ),
    tax: amount(textAt(root, 'Impuestos/@TotalImpuestosTrasladados', 'Impuestos/@totalImpuestosTrasladados')),
  };
}

/** Finland, Finvoice. Amounts have a decimal comma. */
function readFinvoice(root: XmlElement): Stated {
  const seller = elementAt(root, 'SellerPartyDetails');
  const details = elementAt(root, 'InvoiceDetails');
  return {
    vendorName: textAt(seller, 'SellerOrganisationName'),
    vendorTaxId: textAt(seller, 'SellerOrganisationTaxCode', 'SellerPartyIdentifier'),
    documentNumber: textAt(details, 'InvoiceNumber'),
    date: textAt(details, 'InvoiceDate'),
    currency: textAt(details, 'InvoiceTotalVatIncludedAmount/@AmountCurrencyIdentifier'),
    total: amount(textAt(details, 'InvoiceTotalVatIncludedAmount')),
    tax: amount(textAt(details, 'InvoiceTotalVatAmount')),
  };
}

/** Hungary, the data reported to NAV. */
function readNav(root: XmlElement): Stated {
  const head = elementAt(root, 'invoiceMain/invoice/invoiceHead');
  const summary = elementAt(root, 'invoiceMain/invoice/invoiceSummary');
  const taxNumber = elementAt(head, 'supplierInfo/supplierTaxNumber');
  return {
    vendorName: textAt(head, 'supplierInfo/supplierName'),
    vendorTaxId: joined(taxNumber, ['taxpayerId', 'vatCode', 'countyCode'], '-'),
    documentNumber: textAt(root, 'invoiceNumber'),
    date: textAt(root, 'invoiceIssueDate'),
    currency: textAt(head, 'invoiceDetail/currencyCode'),
    total: amount(textAt(summary, 'summaryGrossData/invoiceGrossAmount')),
    tax: amount(textAt(summary, 'summaryNormal/invoiceVatAmount')),
  };
}

/** Austria, ebInterface 4 to 6. */
function readEbInterface(root: XmlElement): Stated {
  const taxes = [...elementsAt(root, 'Tax/TaxItem/TaxAmount'), ...elementsAt(root, 'Tax/VAT/VATItem/Amount')];
  return {
    vendorName: textAt(root, 'Biller/Address/Name'),
    vendorTaxId: textAt(root, 'Biller/VATIdentificationNumber'),
    documentNumber: textAt(root, 'InvoiceNumber'),
    date: textAt(root, 'InvoiceDate'),
    currency: textAt(root, '@InvoiceCurrency'),
    total: amount(textAt(root, 'TotalGrossAmount')),
    tax: sum(taxes.map(({ text }) => amount(text))),
  };
}

const FORMATS: readonly NationalFormat[] = [
  { root: 'FatturaElettronica', mark: 'FatturaElettronicaBody', read: readFatturaPa },
  { root: 'Facturae', mark: 'Invoices/Invoice', read: readFacturae },
  { root: 'Faktura', mark: 'Fa/P_2', read: readKsef },
  { root: 'Comprobante', mark: 'Emisor', read: readCfdi },
  { root: 'Finvoice', mark: 'InvoiceDetails', read: readFinvoice },
  { root: 'InvoiceData', mark: 'invoiceMain', read: readNav },
  { root: 'Invoice', mark: 'Biller', read: readEbInterface },
];

/** Reads the fields of a document in a national format, or returns undefined if the format is unknown. */
export function readNational(root: XmlElement): Stated | undefined {
  return FORMATS.find((format) => format.root === root.name && elementAt(root, format.mark))?.read(root);
}
