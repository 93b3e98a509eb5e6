import { Definitions1795456800000 } from './1795456800000-definitions';

export const DEFINITIONS_MIGRATIONS = [Definitions1795456800000];
