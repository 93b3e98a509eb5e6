import type { Command } from 'commander';
import type { Context } from '../context';
import { examples } from '../help';
import { saveFile } from '../output-file';
import { languageOption, type PageLanguage } from './page-language';

interface PdfOptions {
  readonly output?: string;
  readonly copy?: boolean;
  readonly language?: PageLanguage;
}

export function registerDocumentsPdf(documents: Command, context: Context): void {
  documents
    .command('pdf')
    .description('save the PDF of an issued document')
    .argument('<id>', 'its id, or its number in the database')
    .option('-o, --output <file>', 'the file to write; <id>.pdf if it is left out')
    .option('--copy', 'mark the pages as a copy')
    .addOption(languageOption('pages'))
    .addHelpText(
      'after',
      examples(
        'counterfoil documents pdf 3f2b6f0e-6c1d-4c8e-9a53-0d6f3c1f9a77 --output invoice.pdf',
        'counterfoil documents pdf 4182 --copy --language en',
      ),
    )
    .action(async (id: string, { output = `${id}.pdf`, copy = false, language }: PdfOptions) => {
      const { documents: resource } = await context.client();
      const query = { stamp: copy ? 'copy' : 'original', ...(language && { language }) } as const;
      const file = await resource.pdf(id, query, { signal: context.signal });
      await saveFile(context, output, file);
    });
}
