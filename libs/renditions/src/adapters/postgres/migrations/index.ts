import type { MigrationClass } from '@counterfoil/database';
import { Renditions1795790200000 } from './1795790200000-renditions';

export const RENDITIONS_MIGRATIONS: readonly MigrationClass[] = [Renditions1795790200000];
