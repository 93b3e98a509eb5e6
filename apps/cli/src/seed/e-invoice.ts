import { escaped } from './markup';
import { textOf } from './money';
import type { ReceiptDetails } from './receipt-details';

/** Writes an electronic invoice: UBL 2.1, as EN 16931 uses it. */
export function eInvoice({ vendor, number, day, net, tax, currency }: ReceiptDetails): string {
  const amount = (name: string, cents: number) =>
    `<cbc:${name} currencyID="${currency}">${textOf(cents)}</cbc:${name}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>
  <cbc:ID>${escaped(number)}</cbc:ID>
  <cbc:IssueDate>${day}</cbc:IssueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty>
    <cac:Party>
      <cac:PartyTaxScheme>
        <cbc:CompanyID>${escaped(vendor.body.taxId)}</cbc:CompanyID>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
      </cac:PartyTaxScheme>
      <cac:PartyLegalEntity>
        <cbc:RegistrationName>${escaped(vendor.body.name)}</cbc:RegistrationName>
      </cac:PartyLegalEntity>
    </cac:Party>
  </cac:AccountingSupplierParty>
  <cac:TaxTotal>${amount('TaxAmount', tax)}</cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    ${amount('LineExtensionAmount', net)}
    ${amount('TaxExclusiveAmount', net)}
    ${amount('TaxInclusiveAmount', net + tax)}
    ${amount('PayableAmount', net + tax)}
  </cac:LegalMonetaryTotal>
</Invoice>
`;
}
