import type { Counterfoil, Extraction } from '@counterfoil/sdk';
import type { Command } from 'commander';
import path from 'node:path';
import type { Context } from '../context';
import { details } from '../details';
import { examples } from '../help';
import { readInput } from '../input-file';

export function registerExtractCommand(program: Command, context: Context): void {
  program
    .command('extract')
    .description('find the fields of an expense in a receipt; creates no expense')
    .argument('<file>', 'a PDF, an image, HTML, text or an e-invoice')
    .option('--keep', 'leave the uploaded file in the service, and print its id')
    .addHelpText(
      'after',
      examples('counterfoil extract receipt.pdf', 'counterfoil extract receipt.jpg --keep --json'),
    )
    .action(async (file: string, { keep = false }: { keep?: boolean }) => {
      const client = await context.client();
      const bytes = await readInput(file, context.surroundings.stdin);
      const { fileId, ...found } = await extract(
        client,
        { bytes, filename: path.basename(file), keep },
        context,
      );
      const kept = keep ? { fileId } : {};
      context.output.print({ file, ...kept, ...found }, extractionText(found, kept.fileId));
    });
}

interface Upload {
  readonly bytes: Buffer;
  readonly filename: string;
  readonly keep: boolean;
}

async function extract(
  { files, expenses }: Counterfoil,
  { bytes, filename, keep }: Upload,
  { signal, output }: Context,
): Promise<Extraction & { readonly fileId: number }> {
  const progress = output.progress('reading', 2);
  try {
    const { fileId } = await files.upload(bytes, { filename, signal });
    progress.advance();
    try {
      return { fileId, ...(await expenses.extract({ fileId }, { signal })) };
    } finally {
      // Without the signal: an interrupted command leaves no file behind.
      if (!keep) await files.delete(fileId);
    }
  } finally {
    progress.stop();
  }
}

function extractionText(
  { expenseData, confidence, source, pages }: Extraction,
  fileId: number | undefined,
): string {
  const fields = Object.entries(expenseData).map(([name, value]) => {
    const sure = confidence[name as keyof typeof confidence];
    return [name, `${String(value)}${sure === undefined ? '' : `  (${Math.floor(sure * 100)} %)`}`] as const;
  });
  if (fields.length === 0) return 'Nothing was found.';
  const part = pages && `${pages.read} of ${pages.total}`;
  return details({ ...Object.fromEntries(fields), 'read from': source, 'pages read': part, fileId });
}
