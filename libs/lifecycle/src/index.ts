export { ROOT, releaseVersion } from './release';
export { fail, Faults, faultLines, runProcess } from './run-process';
