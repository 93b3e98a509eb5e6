import { spawn } from 'node:child_process';
import path from 'node:path';
import type { FuzzInput, FuzzReport } from './fuzz-run';

const MAIN = path.resolve(
  __dirname,
  '../../../../../dist/libs/receipt-reader/src/testing/pdfs/fuzz-process.js',
);

/** Reads the documents in a process that runs the compiled code. */
export function fuzz(input: FuzzInput): Promise<FuzzReport> {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(said.trim().split('\n').at(-1)!) as FuzzReport);
      else reject(new Error(`the documents were not read: the process ended with ${code}`));
    });
  });
}
