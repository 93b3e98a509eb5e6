export { ROOT, releaseVersion } from './release';
export { fail, Faults, runProcess } from './run-process';
