import { DOCUMENT_TYPES } from '@counterfoil/documents';
import { anIssuedDocument, type IssuedOverrides } from '../testing/an-issued-document';
import { documentToEInvoice, eInvoiceRefusal } from './document-to-e-invoice';

const WITHOUT_TAX_ID = { field: 'taxId', problem: expect.stringContaining('PUT /company') };

describe('an e-invoice', () => {
  it('is made of invoices and credit notes', () => {
    const covered = DOCUMENT_TYPES.filter((type) => documentToEInvoice(anIssuedDocument({ type }), 'ubl'));
    expect(covered).toEqual(['TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'REFUND', 'RETURN']);
  });

  it.each<[IssuedOverrides, string, readonly object[] | undefined]>([
    [{ type: 'QUOTE' }, 'only TAX_INVOICE, TAX_INVOICE_RECEIPT, REFUND, RETURN have e-invoices', undefined],
    [{ type: 'REFUND', cancelled: true }, 'cancelled', undefined],
    [{ currency: 'BGN' }, 'currency BGN', undefined],
    [{ issuer: { taxId: null } }, 'no taxId', [WITHOUT_TAX_ID]],
    [{ issuer: { taxId: ' - ' } }, 'no taxId', [WITHOUT_TAX_ID]],
    [{ issuer: { taxId: 'ע״מ' } }, 'no taxId', [WITHOUT_TAX_ID]],
  ])('is refused for %j', (overrides, why, details) => {
    const document = anIssuedDocument(overrides);
    expect(documentToEInvoice(document, 'ubl')).toBeNull();
    expect(eInvoiceRefusal(document, 'ubl')).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining(why),
      details,
    });
  });

  it('is not refused for any other document', () => {
    for (const syntax of ['ubl', 'cii'] as const)
      expect(eInvoiceRefusal(anIssuedDocument(), syntax)).toBeNull();
  });

  it.each(['issuer', 'recipient'])('is refused in CII only, with an %s in South Sudan', (party) => {
    const address = { street: 'Main', houseNumber: null, city: 'Juba', zipCode: null, country: 'SS' };
    const document = anIssuedDocument({ [party]: { address } });
    expect(eInvoiceRefusal(document, 'cii')).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining('country SS'),
    });
    expect(documentToEInvoice(document, 'cii')).toBeNull();
    expect(documentToEInvoice(document, 'ubl')).toMatchObject({
      [party === 'issuer' ? 'seller' : 'buyer']: { address: { country: 'SS' } },
    });
  });
});
