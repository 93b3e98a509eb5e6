import type { Counterfoil, RowOf } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { DOCUMENTS } from '../texts.ts';
import { isPayable } from '../types.ts';
import { type DocumentDraft, isFaulty } from './draft.ts';
import { ISSUE } from './texts.ts';

/** Of each status. */
const READ_MAX = 1_000;

type OpenDocument = RowOf<'GET /documents'>;

/** The open documents of a party that can be paid, the oldest first. Read page by page; leaving the page stops it. */
async function openDocuments(client: Counterfoil, entityId: number, signal: AbortSignal) {
  const read = async (status: 'OPEN' | 'PARTIALLY_PAID') => {
    const documents: OpenDocument[] = [];
    for await (const document of client.documents.list({ entityId, status }, { signal })) {
      documents.push(document);
      if (documents.length === READ_MAX) break;
    }
    return documents;
  };
  const [open, partlyPaid] = await Promise.all([read('OPEN'), read('PARTIALLY_PAID')]);
  return [...open, ...partlyPaid]
    .filter(({ type }) => isPayable(type))
    .sort((a, b) => (a.issueDate === b.issueDate ? a.id - b.id : a.issueDate < b.issueDate ? -1 : 1));
}

interface AllocationsProps {
  readonly draft: DocumentDraft;
  readonly onChange: (allocations: DocumentDraft['allocations']) => void;
}

/** The open documents of the party, and how much of each a receipt pays. */
export function Allocations({ draft, onChange }: AllocationsProps) {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  const { money, date } = useFormats();
  const { client } = useAccount();
  const entityId = draft.party?.id ?? 0;
  const open = useQuery({
    queryKey: ['documents', 'open', entityId],
    queryFn: ({ signal }) => openDocuments(client, entityId, signal),
  });
  const payable = open.data?.filter(({ currency }) => currency === draft.currency) ?? [];
  const put = (id: number, amount: string) => onChange({ ...draft.allocations, [id]: amount });
  return (
    <Section title={t('pays')}>
      {open.error && <ErrorNotice error={open.error} retry={() => void open.refetch()} />}
      {open.isPending && <Loading />}
      {open.data && payable.length === 0 && <p className="quiet-text">{t('noOpen')}</p>}
      <ul className="entries">
        {payable.map(({ id, type, number, issueDate, remainingAmount, currency }) => {
          const name = d('number', { type: d(type), number });
          const amount = draft.allocations[id] ?? '';
          return (
            <li key={id} className="entry payment">
              <div>
                <span className="strong">{name}</span>
                <br />
                <span className="quiet-text">
                  {date(issueDate)} · {money(remainingAmount, currency)}
                </span>
              </div>
              <TextInput
                label={t('amountFor', { name })}
                isLabelHidden
                kind="number"
                value={amount}
                problem={isFaulty(amount) ? t('notANumber') : undefined}
                onChange={(typed) => put(id, typed)}
              />
              <Button
                className="button small"
                aria-label={t('payAll', { name })}
                onPress={() => put(id, String(remainingAmount))}
              >
                {money(remainingAmount, currency)}
              </Button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
