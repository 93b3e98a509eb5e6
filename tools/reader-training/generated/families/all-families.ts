import type { Family } from './family';
import { LETTERS } from './letters';
import { PAGES } from './pages';
import { RECEIPTS } from './receipts';

/** The number of groups into which families, vendors and writers are divided. */
export const GROUPS = 4;

/** All families. The place in the list, modulo `GROUPS`, is the group, so that each group has receipts and pages. */
export const FAMILIES: readonly Family[] = [...LETTERS, ...PAGES, ...RECEIPTS];

/** Returns the families of a group. */
export const familiesOf = (group: number): readonly Family[] =>
  FAMILIES.filter((_, index) => index % GROUPS === group);
