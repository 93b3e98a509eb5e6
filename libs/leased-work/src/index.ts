export { claimOf, endOf, nextInTurns, renewalOf, retriedWork } from './leased-work.sql';
export { renewLeases } from './renew-leases';
export { fence, isLeased, type Lease, newLease } from './work-table';
