import type { MigrationClass } from '@counterfoil/database';
import { ApiKeyLimits1795698000000 } from './1795698000000-api-key-limits';

export const IDENTITY_MIGRATIONS: readonly MigrationClass[] = [ApiKeyLimits1795698000000];
