import type { Extraction } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useObjectUrl } from '../../parts/object-url.ts';
import { EXPENSE_FORM } from './form-texts.ts';
import { placesOf, type ReadField } from './places.ts';
import { PictureSheet, SketchSheets, TextSheet } from './receipt-sheets.tsx';

const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const KEPT_MS = 5 * 60_000;

interface ReceiptViewProps {
  readonly fileId: number;
  /** Opens the receipt without a key; undefined if no answer has named it. */
  readonly link?: string | undefined;
  readonly reading?: Extraction | undefined;
  /** The field whose place is emphasised. */
  readonly active?: ReadField | null;
}

/** The receipt as it is, with the places where values were found. */
export function ReceiptView(props: ReceiptViewProps) {
  const { fileId, link } = props;
  const t = useTexts(EXPENSE_FORM);
  const { client } = useAccount();
  const content = useQuery({
    queryKey: ['receipt', fileId],
    queryFn: () => client.files.content(fileId),
    ...{ staleTime: Infinity, gcTime: KEPT_MS },
  });
  const url = useObjectUrl(content.data);
  return (
    <section className="receipt" aria-label={t('receipt')}>
      <header>
        <h2>{t('receipt')}</h2>
        {link === undefined ? (
          url !== undefined && (
            <a className="button small" href={url} download={`receipt-${fileId}`}>
              {t('saveReceipt')}
            </a>
          )
        ) : (
          <a className="button small" href={link} target="_blank" rel="noreferrer">
            {t('openReceipt')}
          </a>
        )}
      </header>
      {content.error && <ErrorNotice error={content.error} retry={() => void content.refetch()} />}
      {content.isPending && <Loading />}
      {content.data && url !== undefined && <Sheets {...props} content={content.data} url={url} />}
    </section>
  );
}

interface SheetsProps extends ReceiptViewProps {
  readonly content: Blob;
  readonly url: string;
}

function Sheets({ fileId, reading, active = null, content, url }: SheetsProps) {
  const [isUnreadable, setUnreadable] = useState(false);
  const places = useMemo(() => placesOf(reading), [reading]);
  const type = content.type.split(';')[0] ?? '';
  if (/^text\/|[/+]xml$/.test(type)) return <TextSheet fileId={fileId} blob={content} />;
  if (PICTURES.includes(type) && !isUnreadable)
    return <PictureSheet {...{ url, places, active }} onUnreadable={() => setUnreadable(true)} />;
  return <SketchSheets {...{ places, reading, active }} />;
}
