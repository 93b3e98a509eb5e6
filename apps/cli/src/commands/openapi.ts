import type { Command } from 'commander';
import type { Context } from '../context';
import { CommandError, EXIT } from '../failure';
import { examples } from '../help';
import { writeOutput } from '../output-file';

const TIMEOUT_MS = 60_000;

interface OpenapiOptions {
  readonly yaml?: boolean;
  readonly output?: string;
}

export function registerOpenapiCommand(program: Command, context: Context): void {
  program
    .command('openapi')
    .description("print the service's OpenAPI description")
    .option('--yaml', 'as YAML instead of JSON')
    .option('-o, --output <file>', 'write it to a file')
    .addHelpText(
      'after',
      examples(
        'counterfoil openapi --url https://books.example.com --output openapi.json',
        "counterfoil openapi | jq '.paths | keys'",
      ),
    )
    .action(async ({ yaml = false, output: file }: OpenapiOptions) => {
      const url = `${await context.service()}/openapi.${yaml ? 'yaml' : 'json'}`;
      const text = await download(url, context.signal);
      if (file === undefined) context.output.raw(text.endsWith('\n') ? text : `${text}\n`);
      else await writeOutput(file, text);
    });
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    if (response.ok) return await response.text();
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    throw new CommandError(EXIT.unreachable, `no answer from ${url}: ${reason}`);
  }
  throw new CommandError(
    EXIT.unreachable,
    `${url} answers ${response.status}: is it a service of Counterfoil?`,
  );
}
