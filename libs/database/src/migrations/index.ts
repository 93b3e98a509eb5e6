import { Foundation1795219200000 } from './1795219200000-foundation';

/** Every migration, oldest first. One that has landed is never edited. */
export const MIGRATIONS = [Foundation1795219200000];
