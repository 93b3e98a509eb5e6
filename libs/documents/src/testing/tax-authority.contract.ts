import { randomUUID } from 'node:crypto';
import type { InvoiceForAllocationNumber, TaxAuthority } from '../application/ports/tax-authority';
import { COMPANY_TAX_ID, CUSTOMER_TAX_ID } from './authority-stand-in';

export function anInvoice(overrides: Partial<InvoiceForAllocationNumber> = {}): InvoiceForAllocationNumber {
  return {
    documentVisibleId: randomUUID(),
    type: 'TAX_INVOICE',
    number: 17,
    issueDate: '2026-11-21',
    issuedOn: '2026-11-23',
    currency: 'ILS',
    amount: 10_000.5,
    tax: 1_800.09,
    companyTaxId: COMPANY_TAX_ID,
    companyName: 'Acme Ltd',
    customerTaxId: CUSTOMER_TAX_ID,
    customerName: 'Customer Ltd',
    attempt: 1,
    ...overrides,
  };
}

/** Contract tests of every adapter of `TaxAuthority`, for an invoice that it approves at once. */
export function describeTaxAuthority(name: string, givenAuthority: () => TaxAuthority): void {
  describe(`${name} as a tax authority`, () => {
    it('assigns a number of 9 digits', async () => {
      const answer = await givenAuthority().request(anInvoice());
      expect(answer).toEqual({ kind: 'assigned', allocationNumber: expect.stringMatching(/^\d{9}$/) });
    });

    it('returns the same number for repeated requests and any attempt', async () => {
      const authority = givenAuthority();
      const invoice = anInvoice();
      const first = await authority.request(invoice);
      expect(await authority.request(invoice)).toEqual(first);
      expect(await authority.request({ ...invoice, attempt: 2 })).toEqual(first);
    });

    it('returns the same number to concurrent workers', async () => {
      const invoice = anInvoice();
      const answers = await Promise.all([1, 2, 3].map(() => givenAuthority().request(invoice)));
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    });

    it('returns a different number for each document', async () => {
      const authority = givenAuthority();
      const answers = [await authority.request(anInvoice()), await authority.request(anInvoice())];
      expect(answers[0]).not.toEqual(answers[1]);
    });

    it('accepts a tax invoice and a tax invoice receipt', async () => {
      const types = ['TAX_INVOICE', 'TAX_INVOICE_RECEIPT'] as const;
      const answers = await Promise.all(types.map((type) => givenAuthority().request(anInvoice({ type }))));
      expect(answers.map(({ kind }) => kind)).toEqual(['assigned', 'assigned']);
    });
  });
}
