import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Choice } from '../../../parts/fields.tsx';
import { saveFile } from '../../../parts/save-file.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { type Document, hasInvoiceFile } from '../types.ts';
import { RECORD } from './texts.ts';

type Stamp = 'original' | 'copy';
type Kind = 'pdf' | 'html' | 'ubl' | 'cii';
const ENDINGS: Readonly<Record<Kind, string>> = { pdf: 'pdf', html: 'html', ubl: 'ubl.xml', cii: 'cii.xml' };

/** The files of a document, read through the session and saved by the browser. */
export function Files({ document }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const { client } = useAccount();
  const toasts = useToasts();
  const [stamp, setStamp] = useState<Stamp>('original');
  const { visibleId: id, type, number, cancelled } = document;
  const read = async (kind: Kind): Promise<Blob> => {
    if (kind === 'pdf') return client.documents.pdf(id, { stamp });
    if (kind === 'ubl') return client.documents.ubl(id);
    if (kind === 'cii') return client.documents.cii(id);
    return new Blob([await client.documents.html(id, { stamp })], { type: 'text/html' });
  };
  const saving = useMutation({
    mutationFn: async (kind: Kind) =>
      saveFile(await read(kind), `${type.toLowerCase().replaceAll('_', '-')}-${number}.${ENDINGS[kind]}`),
    onError: (error) => toasts.fail(error),
  });
  const button = (kind: Kind) => (
    <Button
      className="button"
      key={kind}
      onPress={() => saving.mutate(kind)}
      isDisabled={saving.isPending && saving.variables === kind}
    >
      {kind.toUpperCase()}
    </Button>
  );
  if (type === 'SUPPLIER_INVOICE')
    return (
      <Section title={t('files')}>
        <p className="quiet-text">{t('noFiles')}</p>
      </Section>
    );
  const kinds: readonly Kind[] =
    hasInvoiceFile(type) && !cancelled ? ['pdf', 'html', 'ubl', 'cii'] : ['pdf', 'html'];
  return (
    <Section title={t('files')}>
      <div className="filters">
        <Choice
          label={t('stamp')}
          value={stamp}
          onChange={(value) => setStamp(value)}
          options={[
            { value: 'original', text: t('original') },
            { value: 'copy', text: t('copy') },
          ]}
        />
        <div className="actions">{kinds.map(button)}</div>
      </div>
      {saving.isPending && <p role="status">{t('making')}</p>}
    </Section>
  );
}
