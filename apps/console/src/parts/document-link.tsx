import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../app/locale.tsx';
import { useAccount } from '../app/session.tsx';
import { DOCUMENT_NAMES } from './document-messages.ts';

/** A document that is named by its numeric id. */
export function DocumentLink({ id }: { readonly id: number }) {
  const { client } = useAccount();
  const found = useQuery({
    queryKey: ['documents', 'by-id', id],
    queryFn: () => client.documents.getById(id),
  });
  if (!found.data) return <>{id}</>;
  return <NamedDocument document={found.data} />;
}

interface NamedDocumentProps {
  readonly document: {
    readonly visibleId: string;
    readonly type: keyof typeof DOCUMENT_NAMES.en;
    readonly number: number;
  };
}

/** A document by its type and number, which leads to it. */
export function NamedDocument({ document: { visibleId, type, number } }: NamedDocumentProps) {
  const d = useTexts(DOCUMENT_NAMES);
  return (
    <Link to="/documents/$id" params={{ id: visibleId }}>
      {d('number', { type: d(type), number })}
    </Link>
  );
}
