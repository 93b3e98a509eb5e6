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

/**
 * The open documents of a party that can be paid, the oldest first. Of more than `READ_MAX`, the newest. Read page by
 * page; leaving the page stops it.
 */
async function openDocuments(client: Counterfoil, entityId: number, signal: AbortSignal) {
  // A document may change its status while both are read.
  const found = new Map<number, OpenDocument>();
  const read = async (status: 'OPEN' | 'PARTIALLY_PAID') => {
    let count = 0;
    for await (const document of client.documents.list({ entityId, status }, { signal })) {
      if (!isPayable(document.type)) continue;
      found.set(document.id, document);
      count += 1;
      if (count === READ_MAX) return true;
    }
    return false;
  };
  const cuts = await Promise.all([read('OPEN'), read('PARTIALLY_PAID')]);
  const documents = [...found.values()].sort((a, b) =>
    a.issueDate === b.issueDate ? a.id - b.id : a.issueDate < b.issueDate ? -1 : 1,
  );
  return { documents, isCut: cuts.includes(true) };
}

interface AllocationsProps {
  readonly draft: DocumentDraft;
  readonly onChange: (allocations: DocumentDraft['allocations']) => void;
}

/** The open documents of the party, and how much of each a receipt pays. */
export function Allocations({ draft, onChange }: AllocationsProps) {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  const { money, date, number } = useFormats();
  const { client } = useAccount();
  const entityId = draft.party?.id ?? 0;
  const open = useQuery({
    queryKey: ['documents', 'open', entityId],
    queryFn: ({ signal }) => openDocuments(client, entityId, signal),
  });
  const payable = open.data?.documents.filter(({ currency }) => currency === draft.currency) ?? [];
  const put = (id: number, amount: string) => onChange({ ...draft.allocations, [id]: amount });
  return (
    <Section title={t('pays')}>
      {open.error && <ErrorNotice error={open.error} retry={() => void open.refetch()} />}
      {open.isPending && <Loading />}
      {open.data && payable.length === 0 && <p className="quiet-text">{t('noOpen')}</p>}
      {open.data?.isCut && <p className="note">{t('onlyNewest', { count: number(READ_MAX) })}</p>}
      <ul className="entries">
        {payable.map(({ id, type, number: issued, issueDate, remainingAmount, currency }) => {
          const name = d('number', { type: d(type), number: issued });
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
