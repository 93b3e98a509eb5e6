import type { Counterfoil, DocumentBody, FoundDocumentBody } from '@counterfoil/sdk';
import type { Command } from 'commander';
import type { Context } from '../context';
import { documentText } from '../document-text';
import { examples } from '../help';

export function registerDocumentsShow(documents: Command, context: Context): void {
  documents
    .command('show')
    .description('show a document')
    .argument('<id>', 'its id, its number in the database, or your own id with --external')
    .option('--external', 'the id is the externalId that the document was issued with')
    .addHelpText(
      'after',
      examples(
        'counterfoil documents show 3f2b6f0e-6c1d-4c8e-9a53-0d6f3c1f9a77',
        'counterfoil documents show --external order-17 --json',
      ),
    )
    .action(async (id: string, { external = false }: { external?: boolean }) => {
      const found = await find(await context.client(), id, external);
      context.output.print(found, documentText(found));
    });
}

function find(
  { documents }: Counterfoil,
  id: string,
  external: boolean,
): Promise<DocumentBody | FoundDocumentBody> {
  if (external) return documents.getByExternalId(id);
  return /^\d+$/.test(id) ? documents.getById(id) : documents.get(id);
}
