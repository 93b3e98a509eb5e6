import type { MigrationClass } from '@counterfoil/database';
import { Renditions1795790200000 } from './1795790200000-renditions';
import { RenditionTexts1795790400000 } from './1795790400000-rendition-texts';

export const RENDITIONS_MIGRATIONS: readonly MigrationClass[] = [
  Renditions1795790200000,
  RenditionTexts1795790400000,
];
