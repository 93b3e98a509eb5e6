import { parseArgs } from 'node:util';
import type { Config } from '@counterfoil/config';
import { actingAs, actorNamed } from '@counterfoil/kernel';
import { type Command, messageOf, type Options, UsageError } from './command';
import { auditVerify } from './commands/audit-verify';
import { companyCreate } from './commands/company-create';
import { companyErase } from './commands/company-erase';
import { companyExport } from './commands/company-export';
import { companyLimits } from './commands/company-limits';
import { companyList } from './commands/company-list';
import { companyResume, companySuspend } from './commands/company-suspend';
import { epochRenew } from './commands/epoch-renew';
import { keyCreate } from './commands/key-create';
import { keyList } from './commands/key-list';
import { keyRevoke } from './commands/key-revoke';
import { migrate, prepare } from './commands/migrate';
import { ratesImport } from './commands/rates-import';
import { secretsRotate } from './commands/secrets-rotate';
import { stockVerify } from './commands/stock-verify';

const COMMANDS = [
  auditVerify,
  companyCreate,
  companyErase,
  companyExport,
  companyLimits,
  companyList,
  companyResume,
  companySuspend,
  epochRenew,
  keyCreate,
  keyList,
  keyRevoke,
  migrate,
  prepare,
  ratesImport,
  secretsRotate,
  stockVerify,
];
const OPTIONS = {
  name: { type: 'string' },
  owner: { type: 'string' },
  company: { type: 'string' },
  role: { type: 'string' },
  user: { type: 'string' },
  'key-name': { type: 'string' },
  expires: { type: 'string' },
  addresses: { type: 'string' },
  id: { type: 'string' },
  head: { type: 'string' },
  file: { type: 'string' },
  'file-bytes': { type: 'string' },
  'file-count': { type: 'string' },
  rate: { type: 'string' },
  'key-rate': { type: 'string' },
  reason: { type: 'string' },
  out: { type: 'string' },
  confirm: { type: 'string' },
  'keep-until': { type: 'string' },
  json: { type: 'boolean' },
  demo: { type: 'boolean' },
  'demo-key-file': { type: 'string' },
  'copied-database': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** The words of a call: the name of the command and its options. */
export interface CommandLine {
  readonly command: Command;
  readonly options: Options;
}

/** The lines of the help, one for each command. */
export const USAGE: readonly string[] = COMMANDS.map(({ usage }) => `  npm run -s admin -- ${usage}`);

/**
 * Reads the words of a call.
 *
 * @returns the name alone if there is no such command, or nothing if no command was named
 * @throws UsageError if an option is not known
 */
export function readCommandLine(args: string[]): CommandLine | { readonly unknown: string | undefined } {
  const { name, options } = readArguments(args);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  return command ? { command, options } : { unknown: name };
}

/** Runs a command, and prints its answers, each as a line of JSON. */
export async function runCommand({ command, options }: CommandLine, config: Config): Promise<void> {
  const answer = await actingAs({ actor: actorNamed('command', command.name) }, () =>
    command.run(config, options, print),
  );
  if (answer !== undefined) print(answer);
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function readArguments(args: string[]): { name: string | undefined; options: Options } {
  try {
    const { positionals, values } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    return { name: positionals[0], options: values };
  } catch (error) {
    const [message = ''] = messageOf(error).split('. ');
    throw new UsageError(message);
  }
}
