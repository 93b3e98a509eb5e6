import type { MigrationClass } from '@counterfoil/database';
import { DocumentShares1795790500000 } from './1795790500000-document-shares';
import { PaymentPagesOfLinks1795790840000 } from './1795790840000-payment-pages-of-links';
import { LinksInBothLanguages1795790862000 } from './1795790862000-links-in-both-languages';

export const SHARING_MIGRATIONS: readonly MigrationClass[] = [
  DocumentShares1795790500000,
  PaymentPagesOfLinks1795790840000,
  LinksInBothLanguages1795790862000,
];
