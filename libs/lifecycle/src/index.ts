export { ROOT, releaseVersion } from './release';
export { fail, Faults, faultLines, runProcess, type Running } from './run-process';
