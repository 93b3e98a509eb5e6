export * from './cursor';
export type * from './filter-fields';
export * from './page';
export * from './page-request';
export * from './sort';
