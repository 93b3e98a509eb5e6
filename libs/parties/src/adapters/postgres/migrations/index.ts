import { PartiesAndCatalog1795348800000 } from './1795348800000-parties-and-catalog';

export const PARTIES_MIGRATIONS = [PartiesAndCatalog1795348800000];
