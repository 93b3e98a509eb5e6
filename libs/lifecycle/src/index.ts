export { fail, Faults, runProcess, type Running } from './run-process';
