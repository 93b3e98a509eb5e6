export { AppendOnlyListReader } from './append-only-list-reader';
export { CachedListReader } from './cached-list-reader';
export type { ListDefinition, ListQuery, TextSearch } from './list-definition';
export {
  BEGINNING_MAX,
  containsSql,
  ListSql,
  type Matching,
  matchingSql,
  searchIn,
  type Statement,
} from './list-sql';
export { readPage } from './read-page';
export { readWhole } from './read-whole';
