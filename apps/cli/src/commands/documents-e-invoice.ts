import type { Command } from 'commander';
import type { Context } from '../context';
import { examples } from '../help';
import { saveFile } from '../output-file';

const SYNTAXES = { ubl: 'UBL 2.1', cii: 'Cross Industry Invoice' } as const;

export function registerDocumentsEInvoice(
  documents: Command,
  context: Context,
  syntax: keyof typeof SYNTAXES,
): void {
  documents
    .command(syntax)
    .description(`save the e-invoice of an issued document (${SYNTAXES[syntax]})`)
    .argument('<id>', 'its id, or its number in the database')
    .option('-o, --output <file>', `the file to write; <id>.${syntax}.xml if it is left out`)
    .addHelpText('after', examples(`counterfoil documents ${syntax} 4182 --output invoice.xml`))
    .action(async (id: string, { output = `${id}.${syntax}.xml` }: { readonly output?: string }) => {
      const { documents: resource } = await context.client();
      const file = await resource[syntax](id, { signal: context.signal });
      await saveFile(context, output, file);
    });
}
