#!/usr/bin/env node
import { readEnvironment } from './environment';
import { runProgram } from './program';

/** A terminal and npm both send Ctrl-C, so one request can arrive twice. */
const SAME_REQUEST_MS = 1_000;

const interruption = new AbortController();
let interruptedAt = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    if (!interruption.signal.aborted) interruptedAt = performance.now();
    else if (performance.now() - interruptedAt > SAME_REQUEST_MS) process.exit(130);
    interruption.abort();
  });

// The reader of the output has gone, as in `counterfoil documents list | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const { stdin, stdout, stderr } = process;
const { signal } = interruption;
void runProgram(process.argv.slice(2), {
  environment: readEnvironment(),
  stdin,
  stdout,
  stderr,
  signal,
}).then((exitCode) => {
  process.exitCode = exitCode;
});
