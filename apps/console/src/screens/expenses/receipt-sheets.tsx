import type { Extraction } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../app/locale.tsx';
import { EXPENSE_FORM } from './form-texts.ts';
import { pagesOf, type Place, type ReadField } from './places.ts';
import { readableText } from './readable-text.ts';

interface PictureSheetProps extends BoxesProps {
  readonly url: string;
  readonly onUnreadable: () => void;
}

/** A picture with boxes. It moves to the emphasised place, and moves nothing else on the page. */
export function PictureSheet({ url, places, active, onUnreadable }: PictureSheetProps) {
  const t = useTexts(EXPENSE_FORM);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    const place = places.find(({ field }) => field === active);
    if (!element || !place) return;
    const middle = (place.y + place.height / 2) * element.scrollHeight;
    element.scrollTo({ top: middle - element.clientHeight / 2, behavior: 'smooth' });
  }, [places, active]);
  return (
    <div className="sheet-scroll" ref={box} tabIndex={0} role="region" aria-label={t('receiptPicture')}>
      <div className="sheet">
        <img src={url} alt={t('receiptPicture')} onError={onUnreadable} />
        <Boxes places={places.filter(({ page }) => page === 1)} active={active} />
      </div>
    </div>
  );
}

interface BoxesProps {
  readonly places: readonly Place[];
  readonly active: ReadField | null;
}

function Boxes({ places, active }: BoxesProps) {
  return (
    <svg className="places" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      {places.map(({ field, x, y, width, height }) => (
        <rect
          key={field}
          data-field={field}
          className={field === active ? 'place active' : 'place'}
          {...{ x, y, width, height }}
        />
      ))}
    </svg>
  );
}

const A4 = { width: 210, height: 297 } as const;

interface SketchSheetsProps extends BoxesProps {
  readonly reading: Extraction | undefined;
}

/** Pages that the browser cannot show here: what was read, where it stands. */
export function SketchSheets({ places, reading, active }: SketchSheetsProps) {
  const t = useTexts(EXPENSE_FORM);
  return (
    <>
      <p className="quiet-text">{places.length > 0 ? t('sketch') : t('noPicture')}</p>
      {pagesOf(places).map((page) => (
        <figure key={page}>
          <svg className="sketch" viewBox={`0 0 ${A4.width} ${A4.height}`} aria-hidden="true">
            {places
              .filter((place) => place.page === page)
              .map(({ field, x, y, width, height }) => (
                <g key={field} data-field={field} className={field === active ? 'place active' : 'place'}>
                  <rect
                    {...{ x: x * A4.width, y: y * A4.height }}
                    {...{ width: width * A4.width, height: height * A4.height }}
                  />
                  <text
                    {...{ x: (x + width / 2) * A4.width, y: (y + height / 2) * A4.height }}
                    fontSize={Math.min(Math.max(height * A4.height * 0.7, 3), 8)}
                  >
                    {String(reading?.expenseData[field] ?? '').slice(0, 60)}
                  </text>
                </g>
              ))}
          </svg>
          <figcaption>{t('pageNumber', { page })}</figcaption>
        </figure>
      ))}
    </>
  );
}

/** Text, HTML and XML: only their text, never as a page. */
export function TextSheet({ fileId, blob }: { readonly fileId: number; readonly blob: Blob }) {
  const t = useTexts(EXPENSE_FORM);
  const text = useQuery({ queryKey: ['receipt-text', fileId], queryFn: () => readableText(blob) });
  return (
    <pre className="receipt-text" dir="auto" tabIndex={0} role="region" aria-label={t('receiptText')}>
      {text.data}
    </pre>
  );
}
