import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { DocumentLink, NamedDocument } from '../../../parts/document-link.tsx';
import { Section } from '../../../parts/facts.tsx';
import type { Document } from '../types.ts';
import { RECORD } from './texts.ts';

/** The documents that settle the one of the page, and those that it settles. */
export function Links({ document }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const { refundOf, linkedDocumentIds } = document;
  const links = [
    ...useSettling(document),
    ...(refundOf === null ? [] : [{ text: t('credits'), of: <DocumentLink id={refundOf} /> }]),
    ...linkedDocumentIds.map((id) => ({ text: t('covers'), of: <DocumentLink id={id} /> })),
  ];
  if (links.length === 0) return null;
  return (
    <Section title={t('links')}>
      <ul className="stack links">
        {links.map(({ text, of }, index) => (
          <li key={index}>
            {text} {of}
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface LinkOf {
  readonly text: string;
  readonly of: ReactNode;
}

/** A process of the release before, during an upgrade, does not name them. */
const lateOf = ({ creditedBy = [], coveredBy }: Partial<Document>) => ({ creditedBy, coveredBy });

/** The links that the record names in whole, with their amounts. */
function useSettling(document: Document): readonly LinkOf[] {
  const t = useTexts(RECORD);
  const { money } = useFormats();
  const { allocations, type, currency: own } = document;
  const { creditedBy, coveredBy } = lateOf(document);
  const named = (one: (typeof creditedBy)[number]): ReactNode => (
    <>
      <NamedDocument document={one} />: {money(one.totalWithTax, one.currency)}
    </>
  );
  return [
    ...allocations.map((one) => ({
      text: t(type === 'RECEIPT' ? 'pays' : 'paidBy'),
      of: (
        <>
          <NamedDocument document={one} />: {money(one.amount, own)}
        </>
      ),
    })),
    ...creditedBy.map((one) => ({ text: t('creditedBy'), of: named(one) })),
    ...(coveredBy ? [{ text: t('coveredBy'), of: named(coveredBy) }] : []),
  ];
}
