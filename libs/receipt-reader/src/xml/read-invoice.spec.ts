import { UnreadableDocument } from '../unreadable-document';
import { readInvoice } from './read-invoice';
import { parseXml } from './xml-element';

const read = (xml: string, encoding: BufferEncoding = 'utf8') =>
  readInvoice(parseXml(Buffer.from(xml, encoding)));

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const UBL_NAMES = `xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2"`;

interface UblParts {
  readonly root?: string;
  readonly party?: string;
  readonly tax?: string;
  readonly totals?: string;
}

function ubl({ root = 'Invoice', party = VAT_PARTY, tax = TAX, totals = TOTALS }: UblParts = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
    <${root} xmlns="${UBL}${root}-2" ${UBL_NAMES}>
      <cbc:ID>V01/42</cbc:ID><cbc:IssueDate>2024-03-05+02:00</cbc:IssueDate>
      <cbc:DueDate>2024-04-05</cbc:DueDate>
      <cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>
      <cac:AccountingSupplierParty><cac:Party>${party}</cac:Party></cac:AccountingSupplierParty>
      <cac:AccountingCustomerParty><cac:Party>
        <cac:PartyName><cbc:Name>Customer</cbc:Name></cac:PartyName>
        <cac:PartyTaxScheme><cbc:CompanyID>DE999999999</cbc:CompanyID></cac:PartyTaxScheme>
      </cac:Party></cac:AccountingCustomerParty>
      ${tax}${totals}
      <cac:InvoiceLine><cbc:ID>1</cbc:ID><cac:Item><cbc:Name>a &lt; b</cbc:Name></cac:Item></cac:InvoiceLine>
    </${root}>`;
}

const VAT_PARTY = `
  <cac:PartyName><cbc:Name>Acme</cbc:Name></cac:PartyName>
  <cac:PartyTaxScheme><cbc:CompanyID>201/113/40209</cbc:CompanyID><cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
  <cac:PartyTaxScheme><cbc:CompanyID>BE 0000.000.196</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
  <cac:PartyLegalEntity><cbc:RegistrationName>Acme &amp; S&#246;hne</cbc:RegistrationName><cbc:CompanyID>HRB 1</cbc:CompanyID></cac:PartyLegalEntity>`;
const taxTotal = (amount: string, currency: string) =>
  `<cac:TaxTotal><cbc:TaxAmount currencyID="${currency}">${amount}</cbc:TaxAmount></cac:TaxTotal>`;
const TAX = taxTotal('77.00', 'EUR') + taxTotal('84.00', 'USD');
const money = (name: string, amount: string) => `<cbc:${name} currencyID="USD">${amount}</cbc:${name}>`;
const totals = (content: string) => `<cac:LegalMonetaryTotal>${content}</cac:LegalMonetaryTotal>`;
const TOTALS = totals(
  money('TaxExclusiveAmount', '400.00') +
    money('TaxInclusiveAmount', '484.00') +
    money('PrepaidAmount', '84.00') +
    money('PayableAmount', '400.00'),
);

describe('a UBL document', () => {
  it('states its fields in its own currency', () => {
    expect(read(ubl())).toEqual({
      vendorName: 'Acme & Söhne',
      vendorTaxId: 'BE0000.000.196',
      documentNumber: 'V01/42',
      date: '2024-03-05',
      currency: 'USD',
      total: 484,
      tax: 84,
    });
  });

  it('keeps the sign of a credit note', () => {
    const negative = totals(money('TaxExclusiveAmount', '-100') + money('TaxInclusiveAmount', '-121.00'));
    const note = ubl({ root: 'CreditNote', tax: taxTotal('-21.00', 'USD'), totals: negative });
    expect(read(note)).toMatchObject({ total: -121, tax: -21 });
  });

  it('adds several taxes, and counts a repeated one once', () => {
    expect(read(ubl({ tax: taxTotal('80', 'USD') + taxTotal('4', 'USD') }))?.tax).toBe(84);
    expect(read(ubl({ tax: taxTotal('84', 'USD') + taxTotal('84', 'USD') }))?.tax).toBe(84);
  });

  it('uses the payable amount as the total only if nothing was paid before', () => {
    const payable = money('PayableAmount', '400.00');
    expect(read(ubl({ totals: totals(payable) }))?.total).toBe(400);
    expect(read(ubl({ totals: totals(money('PrepaidAmount', '84.00') + payable) }))).not.toHaveProperty(
      'total',
    );
  });

  it('computes the total if only the rounded payable amount is stated', () => {
    const rounded = money('PayableRoundingAmount', '0.02') + money('PayableAmount', '121.20');
    const net = money('TaxExclusiveAmount', '100.15');
    const tax = taxTotal('21.03', 'USD');
    expect(read(ubl({ tax, totals: totals(net + rounded) }))?.total).toBe(121.18);
    expect(read(ubl({ tax, totals: totals(rounded) }))?.total).toBe(121.18);
    const paid = money('PrepaidAmount', '21.18') + money('PayableAmount', '100.00');
    expect(read(ubl({ tax, totals: totals(net + paid) }))?.total).toBe(121.18);
  });

  it('leaves out a tax above the total', () => {
    const fields = read(ubl({ tax: taxTotal('800', 'USD') }));
    expect(fields).toMatchObject({ date: '2024-03-05', total: 484 });
    expect(fields).not.toHaveProperty('tax');
  });

  it('has the date that it states, also a later one', () => {
    expect(read(ubl().replace('2024-03-05', '2999-03-05'))).toMatchObject({ date: '2999-03-05' });
    expect(read(ubl().replace('2024-03-05', '2999-02-30'))).not.toHaveProperty('date');
  });

  it('has the tax number in the element of its country', () => {
    const id = (scheme: string, value: string) =>
      `<cac:PartyIdentification><cbc:ID schemeID="${scheme}">${value}</cbc:ID></cac:PartyIdentification>`;
    const turkish = id('MERSISNO', '0123456789012345') + id('VKN', '1234567890');
    expect(read(ubl({ party: turkish }))?.vendorTaxId).toBe('1234567890');
    const legal = (scheme: string, value: string, country: string) =>
      `<cac:PostalAddress><cac:Country><cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
       <cac:PartyLegalEntity><cbc:CompanyID${scheme}>${value}</cbc:CompanyID></cac:PartyLegalEntity>`;
    expect(read(ubl({ party: legal(' schemeID="0151"', '47 555 222 000', 'AU') }))?.vendorTaxId).toBe(
      '47555222000',
    );
    expect(read(ubl({ party: legal('', '100123456700003', 'AE') }))?.vendorTaxId).toBe('100123456700003');
    expect(read(ubl({ party: legal('', 'IL514000007', 'IL') }))?.vendorTaxId).toBe('514000007');
    expect(read(ubl({ party: legal('', 'HRB 12345', 'DE') }))).not.toHaveProperty('vendorTaxId');
  });

  it('has a person as a name', () => {
    const person =
      '<cac:Person><cbc:FirstName>Ayşe</cbc:FirstName><cbc:FamilyName>Yılmaz</cbc:FamilyName></cac:Person>';
    expect(read(ubl({ party: person }))?.vendorName).toBe('Ayşe Yılmaz');
  });

  it('may be in an envelope, with any prefixes', () => {
    const inner = ubl()
      .replace(/^<\?xml[^>]*>/, '')
      .replaceAll('cbc:', 'x:')
      .replaceAll('xmlns:cbc', 'xmlns:x');
    expect(read(`<sbd:Document xmlns:sbd="urn:a"><sbd:Header/>${inner}</sbd:Document>`)?.total).toBe(484);
  });
});

describe('a CII document', () => {
  const cii = (
    root: string,
    parts: Record<'header' | 'trade' | 'agreement' | 'settlement' | 'sums', string>,
  ) => `
    <rsm:${root} xmlns:rsm="urn:a" xmlns:ram="urn:b" xmlns:udt="urn:c">
      <rsm:${parts.header}><ram:ID>RE-1</ram:ID>
        <ram:IssueDateTime><udt:DateTimeString format="102">20240305</udt:DateTimeString></ram:IssueDateTime></rsm:${parts.header}>
      <rsm:${parts.trade}>
        <ram:${parts.agreement}><ram:SellerTradeParty><ram:Name>Acme GmbH</ram:Name>
          <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113</ram:ID></ram:SpecifiedTaxRegistration>
          <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration>
        </ram:SellerTradeParty></ram:${parts.agreement}>
        <ram:${parts.settlement}><ram:InvoiceCurrencyCode>GBP</ram:InvoiceCurrencyCode>
          <ram:${parts.sums}>
            <ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount>
            <ram:TaxTotalAmount currencyID="EUR">22.80</ram:TaxTotalAmount>
            <ram:TaxTotalAmount currencyID="GBP">20.00</ram:TaxTotalAmount>
            <ram:GrandTotalAmount>120.00</ram:GrandTotalAmount><ram:DuePayableAmount>20.00</ram:DuePayableAmount>
          </ram:${parts.sums}></ram:${parts.settlement}>
      </rsm:${parts.trade}></rsm:${root}>`;
  const stated = {
    vendorName: 'Acme GmbH',
    vendorTaxId: 'DE123456789',
    documentNumber: 'RE-1',
    date: '2024-03-05',
    currency: 'GBP',
    total: 120,
    tax: 20,
  };
  const current = cii('CrossIndustryInvoice', {
    header: 'ExchangedDocument',
    trade: 'SupplyChainTradeTransaction',
    agreement: 'ApplicableHeaderTradeAgreement',
    settlement: 'ApplicableHeaderTradeSettlement',
    sums: 'SpecifiedTradeSettlementHeaderMonetarySummation',
  });

  it('states its fields', () => expect(read(current)).toEqual(stated));

  it('states them in ZUGFeRD 1 too', () => {
    const first = cii('CrossIndustryDocument', {
      header: 'HeaderExchangedDocument',
      trade: 'SpecifiedSupplyChainTradeTransaction',
      agreement: 'ApplicableSupplyChainTradeAgreement',
      settlement: 'ApplicableSupplyChainTradeSettlement',
      sums: 'SpecifiedTradeSettlementMonetarySummation',
    });
    expect(read(first)).toEqual(stated);
  });

  it('computes the total if only the rounded payable amount is stated', () => {
    const rounded = current.replace(
      /<ram:GrandTotalAmount>.*<\/ram:DuePayableAmount>/,
      '<ram:RoundingAmount>0.02</ram:RoundingAmount><ram:DuePayableAmount>120.02</ram:DuePayableAmount>',
    );
    expect(read(rounded)?.total).toBe(120);
    expect(read(rounded.replace(/<ram:TaxBasisTotalAmount>.*?>/, ''))?.total).toBe(120);
  });

  it('leaves out an invalid date, and a tax in another currency', () => {
    expect(read(current.replace('20240305', '20241345'))).not.toHaveProperty('date');
    expect(read(current.replace('format="102"', 'format="616"'))).not.toHaveProperty('date');
    expect(read(current.replace(/<ram:TaxTotalAmount currencyID="GBP".*/, ''))).not.toHaveProperty('tax');
  });
});

describe('national formats', () => {
  it('reads FatturaPA', () => {
    const xml = `<p:FatturaElettronica xmlns:p="urn:a" versione="FPR12"><FatturaElettronicaHeader><CedentePrestatore><DatiAnagrafici>
      <IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567890</IdCodice></IdFiscaleIVA>
      <Anagrafica><Denominazione>Alfa S.r.l.</Denominazione></Anagrafica></DatiAnagrafici></CedentePrestatore></FatturaElettronicaHeader>
      <FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><TipoDocumento>TD01</TipoDocumento><Divisa>EUR</Divisa>
      <Data>2024-03-05</Data><Numero>12/A</Numero></DatiGeneraliDocumento></DatiGenerali><DatiBeniServizi>
      <DatiRiepilogo><ImponibileImporto>100.00</ImponibileImporto><Imposta>22.00</Imposta></DatiRiepilogo>
      <DatiRiepilogo><ImponibileImporto>10.00</ImponibileImporto><Imposta>0.40</Imposta></DatiRiepilogo>
      </DatiBeniServizi></FatturaElettronicaBody></p:FatturaElettronica>`;
    expect(read(xml)).toEqual({
      vendorName: 'Alfa S.r.l.',
      vendorTaxId: 'IT01234567890',
      documentNumber: '12/A',
      date: '2024-03-05',
      currency: 'EUR',
      total: 132.4,
      tax: 22.4,
    });
  });

  it.each([
    [
      'Facturae',
      `<Facturae><Parties><SellerParty/></Parties><Invoices><Invoice><InvoiceTotals><TotalTaxOutputs>210.00</TotalTaxOutputs>
        <TotalTaxesWithheld>150.00</TotalTaxesWithheld><InvoiceTotal>1060.00</InvoiceTotal></InvoiceTotals></Invoice></Invoices></Facturae>`,
      { total: 1210, tax: 210 },
    ],
    [
      'CFDI',
      `<Comprobante TipoDeComprobante="I" Total="953.33"><Emisor/><Impuestos TotalImpuestosRetenidos="206.67"
        TotalImpuestosTrasladados="160.00"/></Comprobante>`,
      { total: 1160, tax: 160 },
    ],
  ])('adds what the customer withholds to the total of %s', (_, xml, fields) => {
    expect(read(xml)).toMatchObject(fields);
  });

  it('reads no amounts of a receipt of payment, and of the currency of nothing', () => {
    const xml = `<Comprobante TipoDeComprobante="P" Folio="7" Total="0" Moneda="XXX"><Emisor Rfc="AAA010101AAA"/></Comprobante>`;
    expect(read(xml)).toEqual({ vendorTaxId: 'AAA010101AAA', documentNumber: '7' });
  });

  it('reads only the seller of a file with several invoices', () => {
    const body = `<FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><Numero>1</Numero><Data>2024-03-05</Data>
      <ImportoTotaleDocumento>122.00</ImportoTotaleDocumento></DatiGeneraliDocumento></DatiGenerali></FatturaElettronicaBody>`;
    const lot = (
      bodies: string,
    ) => `<FatturaElettronica><FatturaElettronicaHeader><CedentePrestatore><DatiAnagrafici>
      <CodiceFiscale>12345678901</CodiceFiscale></DatiAnagrafici></CedentePrestatore></FatturaElettronicaHeader>${bodies}</FatturaElettronica>`;
    expect(read(lot(body))).toMatchObject({ documentNumber: '1', total: 122 });
    expect(read(lot(body + body))).toEqual({ vendorTaxId: '12345678901' });
  });

  it('takes a comma before three digits for neither mark', () => {
    expect(read(ubl({ totals: totals(money('TaxInclusiveAmount', '1,210')) }))).not.toHaveProperty('total');
    for (const stated of ['484,00', '484,0000', '0484,000'])
      expect(read(ubl({ totals: totals(money('TaxInclusiveAmount', stated)) }))?.total).toBe(484);
  });

  it('reads Facturae', () => {
    const xml = `<fe:Facturae xmlns:fe="urn:a"><Parties><SellerParty><TaxIdentification>
      <TaxIdentificationNumber>A28017895</TaxIdentificationNumber></TaxIdentification>
      <LegalEntity><CorporateName>Alfa S.A.</CorporateName></LegalEntity></SellerParty></Parties><Invoices><Invoice>
      <InvoiceHeader><InvoiceNumber>17</InvoiceNumber></InvoiceHeader>
      <InvoiceIssueData><IssueDate>2024-03-05</IssueDate><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode></InvoiceIssueData>
      <InvoiceTotals><TotalTaxOutputs>21.00</TotalTaxOutputs><InvoiceTotal>121.00</InvoiceTotal></InvoiceTotals>
      </Invoice></Invoices></fe:Facturae>`;
    expect(read(xml)).toMatchObject({
      vendorName: 'Alfa S.A.',
      vendorTaxId: 'A28017895',
      documentNumber: '17',
      total: 121,
      tax: 21,
    });
  });

  it('reads KSeF', () => {
    const xml = `<Faktura xmlns="http://crd.gov.pl/wzor/2023/06/29/12648/"><Podmiot1><DaneIdentyfikacyjne>
      <NIP>5265877635</NIP><Nazwa>Alfa sp. z o.o.</Nazwa></DaneIdentyfikacyjne></Podmiot1>
      <Fa><KodWaluty>PLN</KodWaluty><P_1>2024-03-05</P_1><P_2>FV/1/2024</P_2><P_13_1>100</P_13_1><P_14_1>23</P_14_1>
      <P_14_2>0.80</P_14_2><P_15>133.80</P_15></Fa></Faktura>`;
    expect(read(xml)).toEqual({
      vendorName: 'Alfa sp. z o.o.',
      vendorTaxId: '5265877635',
      documentNumber: 'FV/1/2024',
      date: '2024-03-05',
      currency: 'PLN',
      total: 133.8,
      tax: 23.8,
    });
  });

  it('reads CFDI', () => {
    const xml = `<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Serie="A" Folio="123" Fecha="2024-03-05T10:00:00" Moneda="MXN"
      SubTotal="100" Total="116.00"><cfdi:Emisor Rfc="AAA010101AAA" Nombre="ALFA"/><cfdi:Conceptos><cfdi:Concepto><cfdi:Impuestos
      /></cfdi:Concepto></cfdi:Conceptos><cfdi:Impuestos TotalImpuestosTrasladados="16.00"/></cfdi:Comprobante>`;
    expect(read(xml)).toEqual({
      vendorName: 'ALFA',
      vendorTaxId: 'AAA010101AAA',
      documentNumber: 'A123',
      date: '2024-03-05',
      currency: 'MXN',
      total: 116,
      tax: 16,
    });
  });

  it('reads Finvoice, with decimal commas', () => {
    const xml = `<Finvoice Version="3.0"><SellerPartyDetails><SellerPartyIdentifier>1234567-8</SellerPartyIdentifier>
      <SellerOrganisationName>Alfa Oy</SellerOrganisationName><SellerOrganisationTaxCode>FI12345678</SellerOrganisationTaxCode>
      </SellerPartyDetails><InvoiceDetails><InvoiceNumber>77</InvoiceNumber><InvoiceDate Format="CCYYMMDD">20240305</InvoiceDate>
      <InvoiceTotalVatAmount AmountCurrencyIdentifier="EUR">24,00</InvoiceTotalVatAmount>
      <InvoiceTotalVatIncludedAmount AmountCurrencyIdentifier="EUR">124,00</InvoiceTotalVatIncludedAmount></InvoiceDetails></Finvoice>`;
    expect(read(xml)).toMatchObject({
      vendorTaxId: 'FI12345678',
      date: '2024-03-05',
      currency: 'EUR',
      total: 124,
      tax: 24,
    });
  });

  it('reads the data of NAV, and ebInterface', () => {
    const nav = `<InvoiceData xmlns="urn:a" xmlns:c="urn:c"><invoiceNumber>2024/1</invoiceNumber><invoiceIssueDate>2024-03-05</invoiceIssueDate>
      <invoiceMain><invoice><invoiceHead><supplierInfo><supplierTaxNumber><c:taxpayerId>12345678</c:taxpayerId><c:vatCode>2</c:vatCode>
      <c:countyCode>41</c:countyCode></supplierTaxNumber><supplierName>Alfa Kft.</supplierName></supplierInfo>
      <invoiceDetail><currencyCode>HUF</currencyCode></invoiceDetail></invoiceHead><invoiceSummary><summaryNormal>
      <invoiceVatAmount>270</invoiceVatAmount></summaryNormal><summaryGrossData><invoiceGrossAmount>1270</invoiceGrossAmount>
      </summaryGrossData></invoiceSummary></invoice></invoiceMain></InvoiceData>`;
    expect(read(nav)).toMatchObject({ vendorTaxId: '12345678-2-41', currency: 'HUF', total: 1270, tax: 270 });
    const eb = `<eb:Invoice xmlns:eb="urn:a" eb:InvoiceCurrency="EUR"><eb:InvoiceNumber>9</eb:InvoiceNumber>
      <eb:InvoiceDate>2024-03-05</eb:InvoiceDate><eb:Biller><eb:VATIdentificationNumber>ATU13585627</eb:VATIdentificationNumber>
      <eb:Address><eb:Name>Alfa GmbH</eb:Name></eb:Address></eb:Biller><eb:Tax><eb:TaxItem><eb:TaxAmount>20</eb:TaxAmount></eb:TaxItem></eb:Tax>
      <eb:TotalGrossAmount>120</eb:TotalGrossAmount></eb:Invoice>`;
    expect(read(eb)).toMatchObject({
      vendorName: 'Alfa GmbH',
      documentNumber: '9',
      currency: 'EUR',
      total: 120,
      tax: 20,
    });
  });
});

describe('an XML document', () => {
  it('may be of an unknown format', () => {
    expect(read('<note><total>12.00</total></note>')).toBeUndefined();
    expect(read('<Invoice><Total>12.00</Total></Invoice>')).toBeUndefined();
  });

  it('is decoded as declared', () => {
    const party = '<cac:PartyName><cbc:Name>Größe</cbc:Name></cac:PartyName>';
    const latin = ubl({ party }).replace('encoding="UTF-8"', 'encoding="ISO-8859-1"');
    expect(read(latin, 'latin1')?.vendorName).toBe('Größe');
    expect(read(`\ufeff${ubl({ party })}`, 'utf16le')?.vendorName).toBe('Größe');
    expect(read(ubl({ party }).replace('"UTF-8"', '"UTF-16"'), 'utf16le')?.vendorName).toBe('Größe');
  });

  it.each([
    ['damaged', '<Invoice><ID>1</ID>'],
    ['damaged', '<Invoice><ID>1</Invoice></ID>'],
    ['damaged', 'no markup'],
    ['damaged', '<a>'.repeat(100) + '</a>'.repeat(100)],
    ['damaged', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['damaged', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>'],
  ])('is refused as %s: %#', (reason, xml) => {
    expect(() => read(xml)).toThrow(UnreadableDocument);
    expect(() => read(xml)).toThrow(expect.objectContaining({ reason }));
  });
});
