import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { loadProcessConfig } from '@counterfoil/config';
import { actingAs, actorNamed } from '@counterfoil/kernel';
import { fail } from '@counterfoil/lifecycle';
import { messageOf, type Options, UsageError } from './command';
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

async function main(): Promise<void> {
  const { name, options } = readArguments(process.argv.slice(2));
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    const lines = COMMANDS.map(({ usage }) => `  npm run -s admin -- ${usage}`);
    process.stderr.write(
      `${name === undefined ? 'Commands' : `Unknown command ${name}. Commands`}:\n${lines.join('\n')}\n`,
    );
    process.exit(name === undefined ? 0 : 1);
  }
  const answer = await actingAs({ actor: actorNamed('command', command.name) }, () =>
    command.run(loadProcessConfig(), options, print),
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

main().catch(fail);
