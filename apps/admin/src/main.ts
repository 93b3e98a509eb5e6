import 'reflect-metadata';
import { loadProcessConfig } from '@counterfoil/config';
import { fail } from '@counterfoil/lifecycle';
import { readCommandLine, runCommand, USAGE } from './command-line';

async function main(): Promise<void> {
  const line = readCommandLine(process.argv.slice(2));
  if ('command' in line) return runCommand(line, loadProcessConfig());
  if ('help' in line) {
    process.stdout.write(`${line.help}\n`);
    return;
  }
  const { unknown } = line;
  const title = unknown === undefined ? 'Commands' : `Unknown command ${unknown}. Commands`;
  process.stderr.write(`${title}:\n${USAGE.join('\n')}\n`);
  process.exit(unknown === undefined ? 0 : 1);
}

main().catch(fail);
