import type { MigrationClass } from '@counterfoil/database';
import { ApiKeyLimits1795698000000 } from './1795698000000-api-key-limits';
import { CompanyOperations1795780000000 } from './1795780000000-company-operations';
import { CompanyProfile1795790000000 } from './1795790000000-company-profile';
import { Sessions1795790700000 } from './1795790700000-sessions';
import { CompanyLogo1795790800000 } from './1795790800000-company-logo';
import { CompanyReminders1795790831000 } from './1795790831000-company-reminders';

export const IDENTITY_MIGRATIONS: readonly MigrationClass[] = [
  ApiKeyLimits1795698000000,
  CompanyOperations1795780000000,
  CompanyProfile1795790000000,
  Sessions1795790700000,
  CompanyLogo1795790800000,
  CompanyReminders1795790831000,
];
