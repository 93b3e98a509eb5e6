import { Counterfoil } from '@counterfoil/sdk';
import type { Command } from 'commander';
import { validUrl } from '../connection';
import type { Context } from '../context';
import { CommandError, EXIT } from '../failure';
import { examples } from '../help';
import { DEFAULT_PROFILE } from '../login-file';
import { printableLine } from '../printable';
import { ask, readSecret } from '../prompt';

const URL_PROPOSED = 'http://127.0.0.1:3000';

export function registerLoginCommand(program: Command, context: Context): void {
  program
    .command('login')
    .description('check a key of the service and store it')
    .addHelpText(
      'after',
      `
Asks for the key without showing it. Without a terminal, the key is the first line of standard input.
The key is stored in a file that only you can read, after the service has accepted it.
${examples(
  'counterfoil login --url https://books.example.com',
  'counterfoil login --url https://books.example.com --profile live < key.txt',
)}`,
    )
    .action(() => login(context));
}

async function login(context: Context): Promise<void> {
  const { key: given, profile = DEFAULT_PROFILE } = context.options();
  if (given !== undefined)
    throw new CommandError(
      EXIT.usage,
      'login takes no --key: type the key or pipe it, so that it stays out of the history and the process list',
    );
  const url = await addressOf(context, profile);
  warnOfPlainHttp(context, url);
  const key = await readSecret(`Key for ${url}`, { ...context.surroundings, signal: context.signal });
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new CommandError(EXIT.usage, 'no key was given, or it has white space');
  const client = new Counterfoil({ baseUrl: url, apiKey: key });
  const company = await client.company.get({ signal: context.signal });
  await context.logins.store(profile, { url, key });
  const file = context.logins.path;
  context.output.print(
    { url, profile, company: { id: company.id, name: company.name }, file },
    `Logged in to ${printableLine(company.name)} at ${url}. The key is stored in ${file}.`,
  );
}

async function addressOf({ options, surroundings, logins }: Context, profile: string): Promise<string> {
  const { environment, stdin } = surroundings;
  const named = options().url ?? environment.url;
  if (named !== undefined) return validUrl(named);
  const proposal = (await logins.find(profile))?.url ?? environment.localUrl;
  if (stdin.isTTY)
    return validUrl(await ask('Address of the service', proposal ?? URL_PROPOSED, surroundings));
  if (proposal !== undefined) return proposal;
  throw new CommandError(EXIT.usage, 'name the service: counterfoil login --url https://books.example.com');
}

function warnOfPlainHttp({ output }: Context, url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'http:' && !isLocal)
    output.note(`warning: ${url} is not encrypted: everybody on the way can read the key`);
}
