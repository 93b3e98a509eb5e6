import type { CreateDocumentBody, DocumentType } from '@counterfoil/sdk';
import { Argument, type Command } from 'commander';
import type { Context } from '../context';
import { CommandError, EXIT } from '../failure';
import { examples } from '../help';
import { isObject, parseJson, readInput } from '../input-file';
import { choiceOf } from '../options';
import { DOCUMENT_TYPES } from '../values';

interface CreateOptions {
  readonly data?: string;
  readonly idempotencyKey?: string;
}

const DATA = `'{ "entityId": 1, "items": [{ "description": "Consulting", "quantity": 2, "unitPrice": 150 }] }'`;

export function registerDocumentsCreate(documents: Command, context: Context): void {
  const type = new Argument('<type>', 'the type of the document')
    .choices(DOCUMENT_TYPES)
    .argParser((text: string) => choiceOf(DOCUMENT_TYPES, text));
  documents
    .command('create')
    .description('issue a document')
    .addArgument(type)
    .argument('[file]', 'a file with its body as JSON; - for standard input')
    .option('--data <json>', 'the body itself, instead of a file')
    .option('--idempotency-key <key>', 'a key of your own, with which a repeated command issues nothing more')
    .addHelpText(
      'after',
      `\nThe body is that of POST /documents/create/{type}.\n${examples(
        'counterfoil documents create tax-invoice invoice.json --idempotency-key order-17',
        `counterfoil documents create tax-invoice --data ${DATA}`,
      )}`,
    )
    .action(async (kind: DocumentType, file: string | undefined, options: CreateOptions) => {
      const body = await bodyOf(context, file, options.data);
      const { documents: resource } = await context.client();
      const { idempotencyKey } = options;
      const issued = await resource.create(kind, body, { idempotencyKey, signal: context.signal });
      context.output.print(issued, `Issued ${kind} ${issued.number}, id ${issued.visibleId}.`);
    });
}

async function bodyOf(
  { surroundings }: Context,
  file: string | undefined,
  data: string | undefined,
): Promise<CreateDocumentBody> {
  if ((file === undefined) === (data === undefined))
    throw new CommandError(EXIT.usage, 'give the body as a file or with --data');
  const text = data ?? (await readInput(file ?? '', surroundings.stdin)).toString('utf8');
  const body = parseJson(text, data === undefined ? String(file) : '--data');
  if (isObject(body)) return body as unknown as CreateDocumentBody;
  throw new CommandError(EXIT.usage, 'the body must be a JSON object');
}
