import type { MigrationClass } from '@counterfoil/database';
import { Renditions1795790200000 } from './1795790200000-renditions';
import { RenditionTexts1795790400000 } from './1795790400000-rendition-texts';
import { StatementFiles1795790834000 } from './1795790834000-statement-files';
import { DocumentOriginals1795790861000 } from './1795790861000-document-originals';
import { EarlierOriginals1795790864000 } from './1795790864000-earlier-originals';

export const RENDITIONS_MIGRATIONS: readonly MigrationClass[] = [
  Renditions1795790200000,
  RenditionTexts1795790400000,
  StatementFiles1795790834000,
  DocumentOriginals1795790861000,
  EarlierOriginals1795790864000,
];
