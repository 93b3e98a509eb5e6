import { assertNoTransaction } from '@counterfoil/kernel';
import {
  type AllocationNumberAnswer,
  type InvoiceForAllocationNumber,
  TaxAuthority,
} from '../application/ports/tax-authority';

/**
 * A fake authority. It records the requests, asserts that no transaction is open, and answers as configured.
 */
export class FakeTaxAuthority extends TaxAuthority {
  readonly asked: InvoiceForAllocationNumber[] = [];
  answer: (invoice: InvoiceForAllocationNumber) => AllocationNumberAnswer | Promise<AllocationNumberAnswer> =
    () => LATER;

  override async request(invoice: InvoiceForAllocationNumber): Promise<AllocationNumberAnswer> {
    assertNoTransaction('asking the tax authority');
    this.asked.push(invoice);
    return this.answer(invoice);
  }

  /** Delays answers from now on. Each call of the returned function gives one. */
  hold(): (answer: AllocationNumberAnswer) => void {
    const held: ((answer: AllocationNumberAnswer) => void)[] = [];
    this.answer = () => new Promise((resolve) => held.push(resolve));
    return (answer) => held.shift()?.(answer);
  }
}

export const LATER: AllocationNumberAnswer = { kind: 'later' };
export const REFUSED: AllocationNumberAnswer = { kind: 'refused', reason: '460 Invoice not approved' };
export const assigned = (allocationNumber: string): AllocationNumberAnswer => ({
  kind: 'assigned',
  allocationNumber,
});
