import { createHash } from 'node:crypto';
import type { SandboxAuthorityMode } from '@counterfoil/config';
import {
  type AllocationNumberAnswer,
  type InvoiceForAllocationNumber,
  TaxAuthority,
  TaxAuthorityUnavailable,
} from '../../application/ports/tax-authority';

const NUMBERS = 1_000_000_000n;

/**
 * Generates allocation numbers for development and tests. A number is calculated from the document's id, so a
 * document always gets the same number, whatever the number of requests and processes.
 */
export class SandboxTaxAuthority extends TaxAuthority {
  constructor(private readonly mode: SandboxAuthorityMode) {
    super();
  }

  override async request(invoice: InvoiceForAllocationNumber): Promise<AllocationNumberAnswer> {
    switch (this.mode) {
      case 'now':
        return assigned(invoice);
      case 'later':
        return invoice.attempt > 1 ? assigned(invoice) : { kind: 'later' };
      case 'never':
        return { kind: 'later' };
      case 'error':
        throw new TaxAuthorityUnavailable(
          'the sandbox is configured to fail (ALLOCATION_NUMBERS_SANDBOX=error)',
        );
    }
  }
}

function assigned({ documentVisibleId }: InvoiceForAllocationNumber): AllocationNumberAnswer {
  const digest = createHash('sha256').update(documentVisibleId).digest();
  const allocationNumber = (digest.readBigUInt64BE() % NUMBERS).toString().padStart(9, '0');
  return { kind: 'assigned', allocationNumber };
}
