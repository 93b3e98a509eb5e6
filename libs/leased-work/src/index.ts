export { LeasedWork } from './leased-work';
export { RetriedWork } from './retried-work';
export { fence, isLeased, type Lease } from './work-table';
