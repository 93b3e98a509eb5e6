import { parseArgs } from 'node:util';
import type { Config } from '@counterfoil/config';
import { actingAs, actorNamed } from '@counterfoil/kernel';
import { type Command, messageOf, type Options, UsageError } from './command';
import { optionsIn } from './usage-options';
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

const COMMANDS: readonly Command[] = [
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
/** Of all commands. Each call may have those of its own command only. */
const OPTIONS = {
  ...Object.assign({}, ...COMMANDS.map(({ usage }) => optionsIn(usage))),
  help: { type: 'boolean' },
} as ReturnType<typeof optionsIn>;

/** The words of a call: the name of the command and its options. */
export interface CommandLine {
  readonly command: Command;
  readonly options: Options;
}

/** The lines of the help, one for each command. */
export const USAGE: readonly string[] = COMMANDS.map(usageOf);

/**
 * Reads the words of a call.
 *
 * @returns the usage of the command if the call asks for it with `--help`; the name alone if there is no such command,
 *   or nothing if no command was named
 * @throws UsageError if an option is not known, or is one of other commands, or if there is a further word
 */
export function readCommandLine(
  args: string[],
): CommandLine | { readonly help: string } | { readonly unknown: string | undefined } {
  const { positionals, options } = readArguments(args);
  const [name, further] = positionals;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) return { unknown: name };
  if (options['help'] === true) return { help: usageOf(command) };
  if (further !== undefined) throw new UsageError(`Unexpected argument '${further}': ${command.usage}`);
  const own = optionsIn(command.usage);
  const foreign = Object.keys(options).find((option) => !Object.hasOwn(own, option));
  if (foreign !== undefined) throw new UsageError(`Unknown option '--${foreign}': ${command.usage}`);
  return { command, options };
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

function usageOf({ usage }: Command): string {
  return `  npm run -s admin -- ${usage}`;
}

function readArguments(args: string[]): {
  readonly positionals: readonly string[];
  readonly options: Options;
} {
  try {
    const { positionals, values } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    return { positionals, options: values };
  } catch (error) {
    const [message = ''] = messageOf(error).split('. ');
    throw new UsageError(message);
  }
}
