export { fail, faultLines, runProcess, type Running } from './run-process';
