export * from './page';
export * from './page-request';
