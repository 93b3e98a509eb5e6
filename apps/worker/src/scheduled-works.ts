import { BillRetainer } from '@counterfoil/documents';
import { ChargeRecurringPayment } from '@counterfoil/payments';
import type { WorkOfKinds } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';

/** What each kind of schedule is there for. */
@Injectable()
export class ScheduledWorks {
  readonly byKind: WorkOfKinds;

  constructor(billRetainer: BillRetainer, chargeRecurringPayment: ChargeRecurringPayment) {
    this.byKind = { RETAINER: billRetainer, RECURRING_PAYMENT: chargeRecurringPayment };
  }
}
