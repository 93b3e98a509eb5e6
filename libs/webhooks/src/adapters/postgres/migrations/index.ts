import { WebhookLanes1795305600000 } from './1795305600000-webhook-lanes';
import { WebhookBudgets1795467600000 } from './1795467600000-webhook-budgets';
import { LeaseClock1795510800000 } from './1795510800000-lease-clock';
import { RedeliveryNames1795525200000 } from './1795525200000-redelivery-names';
import { DueDeliveries1795780200000 } from './1795780200000-due-deliveries';
import { ClaimPlan1795790610000 } from './1795790610000-claim-plan';
import { CountStoredDeliveries1795790860000 } from './1795790860000-count-stored-deliveries';
import { DeliveryCounts1795790859000 } from './1795790859000-delivery-counts';
import { RedeliveredMeanwhile1795790890000 } from './1795790890000-redelivered-meanwhile';

export const WEBHOOKS_MIGRATIONS = [
  WebhookLanes1795305600000,
  WebhookBudgets1795467600000,
  LeaseClock1795510800000,
  RedeliveryNames1795525200000,
  DueDeliveries1795780200000,
  ClaimPlan1795790610000,
  DeliveryCounts1795790859000,
  CountStoredDeliveries1795790860000,
  RedeliveredMeanwhile1795790890000,
];
