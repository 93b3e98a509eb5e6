import type { MigrationClass } from '@counterfoil/database';
import { ApiKeyLimits1795698000000 } from './1795698000000-api-key-limits';
import { CompanyOperations1795780000000 } from './1795780000000-company-operations';
import { CompanyProfile1795790000000 } from './1795790000000-company-profile';

export const IDENTITY_MIGRATIONS: readonly MigrationClass[] = [
  ApiKeyLimits1795698000000,
  CompanyOperations1795780000000,
  CompanyProfile1795790000000,
];
