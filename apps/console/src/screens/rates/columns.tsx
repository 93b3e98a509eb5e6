import { useFormats, useTexts } from '../../app/locale.tsx';
import type { PlainColumn } from '../../parts/plain-table.tsx';
import type { Rate } from './rates.ts';
import { RATES } from './texts.ts';

/** The columns that all tables of rates have. */
export function useRateColumns(): Readonly<Record<'source' | 'unit' | 'rate', PlainColumn<Rate>>> {
  const t = useTexts(RATES);
  const { number, rate: rateText } = useFormats();
  return {
    source: {
      ...{ id: 'source', title: t('source') },
      cell: ({ source }) => (
        <span className={source === 'company' ? 'state warn' : 'state'}>{t(source)}</span>
      ),
    },
    unit: {
      ...{ id: 'unit', title: t('unit'), isNumber: true },
      cell: ({ unit, currency }) => (
        <bdi>
          {number(unit)} {currency}
        </bdi>
      ),
    },
    rate: {
      ...{ id: 'rate', title: t('rate'), isNumber: true },
      cell: ({ rate }) => <span className="strong">{rateText(rate)}</span>,
    },
  };
}
