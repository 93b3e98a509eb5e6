import type { MigrationClass } from '@counterfoil/database';
import { DocumentShares1795790500000 } from './1795790500000-document-shares';

export const SHARING_MIGRATIONS: readonly MigrationClass[] = [DocumentShares1795790500000];
