import { Clock, datedAfter, Transactions } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { type Outcome, settled } from '../domain/charge';
import { eventsOf } from './events';
import type { Operation } from '../domain/operation';
import { ChargeRepository } from './ports/charge.repository';
import type { OpenRequest } from './ports/provider-request.repository';
import { PaymentMethodRepository } from './ports/payment-method.repository';

/** Records the answer of a provider once, even if several processes received it. */
@Injectable()
export class RecordOutcome {
  constructor(
    private readonly transactions: Transactions,
    private readonly charges: ChargeRepository,
    private readonly methods: PaymentMethodRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async execute({ companyId, chargeId, operationId }: OpenRequest, outcome: Outcome): Promise<void> {
    await this.transactions.run(async (tx) => {
      const charge = await this.charges.lock(tx, companyId, chargeId);
      if (!charge) throw new Error(`charge ${chargeId} is missing`);
      const pending = await this.charges.pendingOf(tx, companyId, chargeId);
      const operation = pending.find(({ id }) => id === operationId);
      if (!operation) return;
      const at = datedAfter(charge.updatedAt, this.clock.now());
      const after = settled(charge, operation, outcome, at);
      const ended = endedBy(operation, outcome);
      await this.charges.save(tx, companyId, after);
      await this.charges.endOperation(tx, companyId, ended, at);
      await this.methods.forgetSpent(tx, companyId, chargeId);
      await this.outbox.append(tx, companyId, eventsOf(after, ended));
    });
  }
}

function endedBy(operation: Operation, outcome: Outcome): Operation {
  if (outcome.kind === 'approved') return { ...operation, state: 'SUCCEEDED' };
  return { ...operation, state: 'FAILED', failureCode: outcome.failureCode };
}
