import { AUDIT_LOG_COMPANY_DATA } from '@counterfoil/audit-log';
import { CATALOG_COMPANY_DATA } from '@counterfoil/catalog';
import type { CompanyTable } from '@counterfoil/company-data';
import { DEFINITIONS_COMPANY_DATA } from '@counterfoil/definitions';
import { DOCUMENTS_COMPANY_DATA } from '@counterfoil/documents';
import { EXPENSES_COMPANY_DATA } from '@counterfoil/expenses';
import { FILES_COMPANY_DATA } from '@counterfoil/files';
import { IDEMPOTENCY_COMPANY_DATA } from '@counterfoil/idempotency';
import { IDENTITY_COMPANY_DATA } from '@counterfoil/identity';
import { INVENTORY_COMPANY_DATA } from '@counterfoil/inventory';
import { MAIL_COMPANY_DATA } from '@counterfoil/mail';
import { OUTBOX_COMPANY_DATA } from '@counterfoil/outbox';
import { PARTIES_COMPANY_DATA } from '@counterfoil/parties';
import { PAYMENTS_COMPANY_DATA } from '@counterfoil/payments';
import { RENDITIONS_COMPANY_DATA } from '@counterfoil/renditions';
import { REQUEST_LOG_COMPANY_DATA } from '@counterfoil/request-log';
import { SCHEDULING_COMPANY_DATA } from '@counterfoil/scheduling';
import { SHARING_COMPANY_DATA } from '@counterfoil/sharing';
import { WEBHOOKS_COMPANY_DATA } from '@counterfoil/webhooks';

/** The declarations of each lib that owns tables with rows of companies. */
export const COMPANY_TABLES_OF: Readonly<Record<string, readonly CompanyTable[]>> = {
  identity: IDENTITY_COMPANY_DATA,
  definitions: DEFINITIONS_COMPANY_DATA,
  files: FILES_COMPANY_DATA,
  parties: PARTIES_COMPANY_DATA,
  catalog: CATALOG_COMPANY_DATA,
  inventory: INVENTORY_COMPANY_DATA,
  documents: DOCUMENTS_COMPANY_DATA,
  expenses: EXPENSES_COMPANY_DATA,
  payments: PAYMENTS_COMPANY_DATA,
  renditions: RENDITIONS_COMPANY_DATA,
  mail: MAIL_COMPANY_DATA,
  sharing: SHARING_COMPANY_DATA,
  webhooks: WEBHOOKS_COMPANY_DATA,
  scheduling: SCHEDULING_COMPANY_DATA,
  outbox: OUTBOX_COMPANY_DATA,
  idempotency: IDEMPOTENCY_COMPANY_DATA,
  'request-log': REQUEST_LOG_COMPANY_DATA,
  'audit-log': AUDIT_LOG_COMPANY_DATA,
};

/** All tables with rows of companies. A spec compares them with the migrated database. */
export const COMPANY_TABLES: readonly CompanyTable[] = Object.values(COMPANY_TABLES_OF).flat();
