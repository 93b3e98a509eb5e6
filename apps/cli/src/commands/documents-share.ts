import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context';
import { examples } from '../help';
import { languageOption, type PageLanguage } from './page-language';

const AS = { original: 'the original', copy: 'a copy' } as const;

interface ShareOptions {
  readonly days?: number;
  readonly copy?: boolean;
  readonly original?: boolean;
  readonly language?: PageLanguage;
  readonly paymentPage?: number;
  readonly revoke?: number;
  readonly list?: boolean;
}

export function registerDocumentsShare(documents: Command, context: Context): void {
  documents
    .command('share')
    .description('make a link that opens a document without a key; list and revoke such links')
    .argument('<id>', 'its id, or its number in the database')
    .addOption(new Option('--days <days>', 'how many days the link opens it; 30').argParser(wholeNumber))
    .addOption(new Option('--copy', 'show it as a copy').conflicts('original'))
    .option('--original', 'show it as the original, also if that has been handed over before')
    .addOption(languageOption('page'))
    .addOption(
      new Option('--payment-page <id>', 'lead to this payment page while something is left to pay').argParser(
        wholeNumber,
      ),
    )
    .option('--list', 'list the links of the document, with their views')
    .addOption(new Option('--revoke <link>', 'end the link with this number').argParser(wholeNumber))
    .addHelpText(
      'after',
      examples(
        'counterfoil documents share 3f2b6f0e-6c1d-4c8e-9a53-0d6f3c1f9a77 --days 14',
        'counterfoil documents share 4182 --list',
        'counterfoil documents share 4182 --revoke 12',
      ),
    )
    .action((id: string, options: ShareOptions) => {
      if (options.list) return listLinks(context, id);
      if (options.revoke !== undefined) return revokeLink(context, id, options.revoke);
      return makeLink(context, id, options);
    });
}

async function makeLink(context: Context, id: string, options: ShareOptions): Promise<void> {
  const { days, copy, original, language, paymentPage } = options;
  const { documents } = await context.client();
  const body = {
    ...(days !== undefined && { expiresInDays: days }),
    ...(copy && { stamp: 'copy' as const }),
    ...(original && { stamp: 'original' as const }),
    ...(language && { language }),
    ...(paymentPage !== undefined && { paymentPageId: paymentPage }),
  };
  const link = await documents.share(id, body, { signal: context.signal });
  context.output.print(link, `${link.url}\nopens it as ${AS[link.stamp]} until ${link.expiresAt}.`);
}

async function listLinks(context: Context, id: string): Promise<void> {
  const { documents } = await context.client();
  for await (const link of documents.shares(id, { signal: context.signal })) {
    const state = link.revokedAt === null ? `until ${link.expiresAt}` : `revoked ${link.revokedAt}`;
    context.output.print(link, `${link.id}  ${state}  views: ${link.views}`);
  }
}

async function revokeLink(context: Context, id: string, link: number): Promise<void> {
  const { documents } = await context.client();
  const answer = await documents.revokeShare(id, link, { signal: context.signal });
  context.output.print(answer, `Revoked link ${link}.`);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
