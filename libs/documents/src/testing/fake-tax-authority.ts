import { assertNoTransaction } from '@counterfoil/kernel';
import {
  type ApprovalAnswer,
  type InvoiceForApproval,
  TaxAuthority,
} from '../application/ports/tax-authority';

/**
 * A fake authority. It records the requests, asserts that no transaction is open, and answers as configured.
 */
export class FakeTaxAuthority extends TaxAuthority {
  readonly asked: InvoiceForApproval[] = [];
  answer: (invoice: InvoiceForApproval) => ApprovalAnswer | Promise<ApprovalAnswer> = () => LATER;

  override async request(invoice: InvoiceForApproval): Promise<ApprovalAnswer> {
    assertNoTransaction('asking the tax authority');
    this.asked.push(invoice);
    return this.answer(invoice);
  }

  /** Delays answers from now on. Each call of the returned function gives one. */
  hold(): (answer: ApprovalAnswer) => void {
    const held: ((answer: ApprovalAnswer) => void)[] = [];
    this.answer = () => new Promise((resolve) => held.push(resolve));
    return (answer) => held.shift()?.(answer);
  }
}

export const LATER: ApprovalAnswer = { kind: 'later' };
export const REFUSED: ApprovalAnswer = { kind: 'refused', reason: '460 Invoice not approved' };
export const assigned = (approvalNumber: string): ApprovalAnswer => ({ kind: 'assigned', approvalNumber });
