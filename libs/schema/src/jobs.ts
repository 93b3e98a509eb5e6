import { DOCUMENT_JOBS } from '@counterfoil/documents';
import { EXPENSE_JOBS } from '@counterfoil/expenses';
import { MAIL_JOBS } from '@counterfoil/mail';
import { OUTBOX_JOBS } from '@counterfoil/outbox';
import { PAYMENT_JOBS } from '@counterfoil/payments';
import type { Jobs } from '@counterfoil/queue';
import { RENDITION_JOBS } from '@counterfoil/renditions';
import { SCHEDULING_JOBS } from '@counterfoil/scheduling';
import { WEBHOOK_JOBS } from '@counterfoil/webhooks';

/** All jobs of the service. A job that a lib declares and this omits does not compile. */
export const JOBS: Jobs = {
  ...DOCUMENT_JOBS,
  ...EXPENSE_JOBS,
  ...MAIL_JOBS,
  ...OUTBOX_JOBS,
  ...PAYMENT_JOBS,
  ...RENDITION_JOBS,
  ...SCHEDULING_JOBS,
  ...WEBHOOK_JOBS,
};
