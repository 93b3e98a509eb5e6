import { RequestApprovalNumber } from '@counterfoil/documents';
import { ReadReceipts } from '@counterfoil/expenses';
import { SettleOrder } from '@counterfoil/payments';
import type { JobHandlers } from '@counterfoil/queue';
import { CompanyTurn } from '@counterfoil/scheduling';
import { DeliveryLanes, RunReplay } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { EventRelay } from './event-relay';
import { ScheduledWorks } from './scheduled-works';

/** Who does what each job asks for. */
@Injectable()
export class Handlers {
  constructor(
    private readonly relay: EventRelay,
    private readonly lanes: DeliveryLanes,
    private readonly runReplay: RunReplay,
    private readonly requestApprovalNumber: RequestApprovalNumber,
    private readonly readReceipts: ReadReceipts,
    private readonly companyTurn: CompanyTurn,
    private readonly scheduledWorks: ScheduledWorks,
    private readonly settleOrder: SettleOrder,
  ) {}

  ofJobs(): JobHandlers {
    return {
      'outbox.relay': () => this.relay.run(),
      'webhook.lane': async (endpoint) => this.lanes.wake([endpoint]),
      'webhook.replay': ({ replayId }) => this.runReplay.execute(replayId),
      'approval.request': ({ documentId }) => this.requestApprovalNumber.execute(documentId),
      'receipt.read': () => this.readReceipts.execute(),
      'schedule.run': ({ companyId, turn }) =>
        this.companyTurn.execute(companyId, turn, this.scheduledWorks.byKind),
      'payment.settle': ({ operationId }) => this.settleOrder.execute(operationId),
    };
  }

  /** What takes long ends what it does, and begins nothing new. */
  stop(): void {
    this.relay.stop();
    this.runReplay.stop();
    this.readReceipts.stop();
    this.companyTurn.stop();
    this.settleOrder.stop();
  }
}
