export { JOBS } from './jobs';
export { MIGRATIONS } from './migrations';
