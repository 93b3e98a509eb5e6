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

/** Of each status. A receipt pays at most 200 documents. */
const SHOWN = 100;

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
    queryFn: async () => {
      const pages = await Promise.all(
        (['OPEN', 'PARTIALLY_PAID'] as const).map(async (status) =>
          client.documents.list({ entityId, status, limit: SHOWN }),
        ),
      );
      return pages.flatMap(({ data }) => data).filter(({ type }) => isPayable(type));
    },
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
