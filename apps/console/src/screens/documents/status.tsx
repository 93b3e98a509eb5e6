import { useTexts } from '../../app/locale.tsx';
import { DOCUMENTS } from './texts.ts';
import type { DocumentStatus } from './types.ts';

const LOOKS: Readonly<Record<DocumentStatus, string>> = {
  OPEN: 'state',
  PARTIALLY_PAID: 'state warn',
  PAID: 'state good',
  CLOSED: 'state',
  CANCELLED: 'state bad',
};

export function Status({ status }: { readonly status: DocumentStatus }) {
  const t = useTexts(DOCUMENTS);
  return <span className={LOOKS[status]}>{t(status)}</span>;
}
