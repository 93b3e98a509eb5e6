import type { AnswerOf, Counterfoil, CounterfoilError, CreateVendorBody } from '@counterfoil/sdk';
import type { Command } from 'commander';
import type { Context } from '../context';
import { CommandError, EXIT } from '../failure';
import { examples } from '../help';
import { ImportReport } from '../import/import-report';
import { rowKey } from '../import/row-key';
import { type Outcome, sendRows } from '../import/send-rows';
import { VENDOR_COLUMNS } from '../import/vendor-columns';
import { type Format, formatOf, FORMATS, type VendorRow, vendorRows } from '../import/vendor-rows';
import { readInput } from '../input-file';
import { choice } from '../options';

/** A long import waits for a service that restarts. */
const RETRIES = 5;

interface ImportOptions {
  readonly format?: Format;
  readonly encoding: string;
}

type Created = AnswerOf<'POST /vendors/create'>;
type VendorOutcome = Outcome<VendorRow, Created>;

const DESCRIPTION = `
The columns of a CSV file, in any order, of which name, taxId and type are required:
  ${Object.keys(VENDOR_COLUMNS).join(', ')}
A JSON file is an array of the bodies of POST /vendors/create; a JSON Lines file has one in each line.

A row is created once, even if the command runs again within 30 days or was interrupted: each is sent with an
Idempotency-Key made from its content. So correct the refused rows in the file, and run the command again.
`;

export function registerVendorsImport(vendors: Command, context: Context): void {
  vendors
    .command('import')
    .description('create vendors from a CSV or JSON file')
    .argument('<file>', 'the file; - for standard input')
    .addOption(choice('--format <format>', 'of a file whose name does not tell', FORMATS))
    .option('--encoding <name>', 'of the file, such as windows-1255', 'utf-8')
    .addHelpText(
      'after',
      `${DESCRIPTION}${examples('counterfoil vendors import vendors.csv', 'counterfoil vendors import - --format jsonl --json < vendors.jsonl')}`,
    )
    .action(async (file: string, options: ImportOptions) => {
      const text = decoded(await readInput(file, context.surroundings.stdin), file, options.encoding);
      await importVendors(context, vendorRows(text, options.format ?? formatOf(file), file));
    });
}

function decoded(bytes: Buffer, file: string, encoding: string): string {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new CommandError(EXIT.usage, `${encoding} is not an encoding that is known here`);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new CommandError(
      EXIT.usage,
      `${file} is not ${encoding}: name its --encoding, such as windows-1255`,
    );
  }
}

async function importVendors(context: Context, rows: readonly VendorRow[]): Promise<void> {
  const { output, signal } = context;
  const report = new ImportReport(rows);
  const client = await context.client({ maxRetries: RETRIES, fetch: report.countingReplays });
  const progress = output.progress('importing', rows.length);
  try {
    await sendRows(rows, {
      send: (row) => create(client, row, signal),
      onOutcome: (outcome) => {
        report.add(outcome);
        if (output.json) output.print(jsonOf(outcome), '');
        progress.advance();
      },
      signal,
    });
  } finally {
    progress.stop();
    if (!output.json) output.print(null, report.text());
  }
  if (report.refused > 0) throw new CommandError(EXIT.refused, `${report.refused} rows were refused`);
}

const create = (client: Counterfoil, { body }: VendorRow, signal: AbortSignal): Promise<Created> =>
  client.vendors.create(body as unknown as CreateVendorBody, {
    idempotencyKey: rowKey('vendor', body),
    signal,
  });

const jsonOf = (outcome: VendorOutcome): object =>
  'answer' in outcome
    ? { place: outcome.row.place, vendorId: outcome.answer.vendorId, visibleId: outcome.answer.visibleId }
    : { place: outcome.row.place, error: reasonOf(outcome.refusal) };

const reasonOf = ({ code, message, fields }: CounterfoilError) => ({ code, message, fields });
