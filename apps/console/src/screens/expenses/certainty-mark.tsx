import type { Extraction } from '@counterfoil/sdk';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { EXPENSE_FORM } from './form-texts.ts';
import { certaintyOf, pagesOf, placesOf, type ReadField } from './places.ts';

interface CertaintyMarkProps {
  readonly reading: Extraction;
  readonly field: ReadField;
}

/** How certain the reader is of a value, and on which of several pages it stands. */
export function CertaintyMark({ reading, field }: CertaintyMarkProps) {
  const t = useTexts(EXPENSE_FORM);
  const { number } = useFormats();
  const certainty = certaintyOf(reading, field);
  if (!certainty) return <span className="certainty none">{t('notFound')}</span>;
  const { percent, isSure, page } = certainty;
  // Of one page, its number says nothing.
  const isLong = pagesOf(placesOf(reading)).some((one) => one > 1);
  const values = { percent: number(percent), page: number(page ?? 0) };
  return (
    <span className={isSure ? 'certainty' : 'certainty doubtful'}>
      {t(isSure ? 'sure' : 'doubtful', values)}
      {page !== undefined && isLong && <span> · {t('onPage', values)}</span>}
    </span>
  );
}
