export { fail, Faults, runProcess } from './run-process';
