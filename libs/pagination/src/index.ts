export * from './cursor';
export * from './page';
export * from './page-request';
export * from './sort';
