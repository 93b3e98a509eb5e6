import type { Counterfoil, RowOf } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { Progress } from '../../../parts/progress.tsx';
import { entriesOf, type EntryDraft, mergedEntries, readPasted } from './entries.ts';
import { PRICELIST } from './texts.ts';

type Product = RowOf<'GET /products'>;

/** The most entries of a pricelist, and so of products that are read. */
const MOST = 10_000;
const SHOWN = 8;

/** All active products by SKU. Read page by page; leaving the dialog stops it. */
async function productsBySku(client: Counterfoil, signal: AbortSignal): Promise<Map<string, Product>> {
  const products = new Map<string, Product>();
  for await (const product of client.products.list({ isActive: true }, { signal })) {
    products.set(product.sku.toLowerCase(), product);
    if (products.size >= MOST) break;
  }
  return products;
}

interface PasteProps {
  readonly entries: readonly EntryDraft[];
  readonly onClose: () => void;
  /** @param count the products that were taken over */
  readonly onApply: (entries: readonly EntryDraft[], count: number) => void;
}

/** Takes over cells of a spreadsheet. Shows what is understood before. */
export function Paste({ entries, onClose, onApply }: PasteProps) {
  const t = useTexts(PRICELIST);
  const { number } = useFormats();
  const { client } = useAccount();
  const [text, setText] = useState('');
  const [others, setOthers] = useState('keep');
  const products = useQuery({
    queryKey: ['products', 'by-sku'],
    queryFn: ({ signal }) => productsBySku(client, signal),
  });
  const rows = readPasted(text);
  const read = products.data && entriesOf(rows, products.data);
  const merged = (found: readonly EntryDraft[]) => mergedEntries(entries, found, others === 'keep');
  return (
    <FormDialog
      title={t('paste')}
      label={t('pasteApply')}
      onClose={onClose}
      onSubmit={() => Promise.resolve(read && onApply(merged(read.entries), read.entries.length))}
      isDisabled={!read || read.entries.length === 0}
    >
      <TextInput label={t('pasteField')} kind="long" value={text} onChange={setText} help={t('pasteText')} />
      {products.isPending && <Progress label={t('reading')} />}
      {products.error && <ErrorNotice error={products.error} retry={() => void products.refetch()} />}
      {products.data?.size === 0 && <p className="note">{t('noProducts')}</p>}
      {read && rows.length > 0 && (
        <section aria-live="polite">
          <p>{t('rows', { rows: number(rows.length), products: number(read.entries.length) })}</p>
          {read.unknown.slice(0, SHOWN).map(({ line, sku }) => (
            <p key={line} className="problem">
              <bdi>{t('unknown', { line, sku: sku.slice(0, 60) })}</bdi>
            </p>
          ))}
          {read.unknown.length > SHOWN && (
            <p className="problem">{t('more', { count: number(read.unknown.length - SHOWN) })}</p>
          )}
        </section>
      )}
      <Choice
        label={t('pasteMode')}
        value={others}
        onChange={setOthers}
        options={[
          { value: 'keep', text: t('keep') },
          { value: 'drop', text: t('drop') },
        ]}
      />
    </FormDialog>
  );
}
