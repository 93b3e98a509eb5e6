import { useFormats, useTexts } from '../../app/locale.tsx';
import { Facts } from '../../parts/facts.tsx';
import { DOCUMENTS } from './texts.ts';
import type { DocumentType } from './types.ts';

interface SummaryProps {
  readonly of: {
    readonly type: DocumentType | 'SUPPLIER_INVOICE';
    /** Null before it is issued. */
    readonly number: number | null;
    readonly entity: { readonly name: string };
    readonly totalWithTax: number;
    readonly currency: string;
    readonly issueDate: string;
  };
}

/** The document of an act, so that the right one is confirmed. */
export function Summary({ of: { type, number, entity, totalWithTax, currency, issueDate } }: SummaryProps) {
  const t = useTexts(DOCUMENTS);
  const { date, money } = useFormats();
  const name = number === null ? t(type) : t('number', { type: t(type), number });
  return (
    <Facts
      facts={[
        { name: t('document'), value: name },
        { name: t('party'), value: entity.name },
        { name: t('total'), value: money(totalWithTax, currency) },
        { name: t('issueDate'), value: date(issueDate) },
      ]}
    />
  );
}
