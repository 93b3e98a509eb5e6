import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { DOCUMENT_NAMES } from '../../../parts/document-messages.ts';
import { Section } from '../../../parts/facts.tsx';
import type { ChargeRecord } from '../amounts.ts';
import { CHARGE } from './texts.ts';

/** The document that a charge names, and that it does nothing to it. */
export function PaidDocument({ charge: { documentId } }: { readonly charge: ChargeRecord }) {
  const t = useTexts(CHARGE);
  const n = useTexts(DOCUMENT_NAMES);
  const { client, may } = useAccount();
  const found = useQuery({
    queryKey: ['documents', 'by-id', documentId],
    queryFn: () => client.documents.getById(documentId ?? 0),
    enabled: documentId !== null,
  });
  const document = found.data;
  return (
    <Section title={t('document')}>
      {document && (
        <p className="before">
          <Link to="/documents/$id" params={{ id: document.visibleId }}>
            {t('pays', { name: n('number', { type: n(document.type), number: document.number }) })}
          </Link>
        </p>
      )}
      <p className="quiet-text">{t('changesNothing')}</p>
      {document?.isOpen && may('write') && (
        <div className="actions after">
          <Link to="/documents/new" search={{ from: document.visibleId, act: 'pay' }} className="button">
            {t('issueReceipt')}
          </Link>
        </div>
      )}
    </Section>
  );
}
