export { fail, runProcess, type Running } from './run-process';
