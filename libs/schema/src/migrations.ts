import { AUDIT_LOG_MIGRATIONS } from '@counterfoil/audit-log';
import { DATABASE_MIGRATIONS, type MigrationClass } from '@counterfoil/database';
import { DEFINITIONS_MIGRATIONS } from '@counterfoil/definitions';
import { DOCUMENTS_MIGRATIONS } from '@counterfoil/documents';
import { EXPENSES_MIGRATIONS } from '@counterfoil/expenses';
import { FILES_MIGRATIONS } from '@counterfoil/files';
import { IDEMPOTENCY_MIGRATIONS } from '@counterfoil/idempotency';
import { IDENTITY_MIGRATIONS } from '@counterfoil/identity';
import { INVENTORY_MIGRATIONS } from '@counterfoil/inventory';
import { MAIL_MIGRATIONS } from '@counterfoil/mail';
import { OUTBOX_MIGRATIONS } from '@counterfoil/outbox';
import { PARTIES_MIGRATIONS } from '@counterfoil/parties';
import { PAYMENTS_MIGRATIONS } from '@counterfoil/payments';
import { RATE_LIMITS_MIGRATIONS } from '@counterfoil/rate-limits';
import { RENDITIONS_MIGRATIONS } from '@counterfoil/renditions';
import { REQUEST_LOG_MIGRATIONS } from '@counterfoil/request-log';
import { SHARING_MIGRATIONS } from '@counterfoil/sharing';
import { WEBHOOKS_MIGRATIONS } from '@counterfoil/webhooks';

/** All migrations of the service. `migrateDatabase` sorts them. */
export const MIGRATIONS: readonly MigrationClass[] = [
  ...AUDIT_LOG_MIGRATIONS,
  ...DATABASE_MIGRATIONS,
  ...DEFINITIONS_MIGRATIONS,
  ...DOCUMENTS_MIGRATIONS,
  ...EXPENSES_MIGRATIONS,
  ...FILES_MIGRATIONS,
  ...IDEMPOTENCY_MIGRATIONS,
  ...IDENTITY_MIGRATIONS,
  ...INVENTORY_MIGRATIONS,
  ...MAIL_MIGRATIONS,
  ...OUTBOX_MIGRATIONS,
  ...PARTIES_MIGRATIONS,
  ...PAYMENTS_MIGRATIONS,
  ...RATE_LIMITS_MIGRATIONS,
  ...RENDITIONS_MIGRATIONS,
  ...REQUEST_LOG_MIGRATIONS,
  ...SHARING_MIGRATIONS,
  ...WEBHOOKS_MIGRATIONS,
];
