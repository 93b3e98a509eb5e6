import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { PartyPicker } from '../../../parts/party-picker.tsx';
import { DOCUMENTS } from '../texts.ts';
import { type Document, hasItems, hasPayments, TYPES } from '../types.ts';
import { Allocations } from './allocations.tsx';
import { type Act, ACTS, type DocumentDraft, draftFrom, NEW_DOCUMENT } from './draft.ts';
import { Items } from './items.tsx';
import { Payments } from './payments.tsx';
import { ISSUING, Preview } from './preview.tsx';
import { ISSUE } from './texts.ts';
import { ISSUE_TITLE } from './title.ts';

/** Takes from the address what the document pays, credits or replaces, or to whom it is. */
export function Page() {
  const title = useTexts(ISSUE_TITLE)('title');
  const t = useTexts(ISSUE);
  const { client } = useAccount();
  const { search } = useListQuery();
  const source = String(search['from'] ?? '');
  const party = String(search['client'] ?? '');
  const act = ACTS.find((one) => one === search['act']) ?? 'cover';
  const start = useQuery({
    queryKey: ['document-start', source, party, act],
    queryFn: async (): Promise<Start> => {
      if (source !== '') {
        const document = await client.documents.get(source);
        return { draft: draftFrom(document, act), source: document, act };
      }
      if (party === '') return { draft: NEW_DOCUMENT };
      const { id, name } = await client.clients.get(party);
      return { draft: { ...NEW_DOCUMENT, party: { id, name } } };
    },
    // Read again for each new document, and never under what is typed.
    ...{ staleTime: Infinity, gcTime: 0 },
  });
  return (
    <PageFrame title={title} text={t('text')}>
      {start.error && <ErrorNotice error={start.error} retry={() => void start.refetch()} />}
      {start.isPending && <Loading />}
      {start.data && <Issue key={`${source}${party}${act}`} start={start.data} />}
    </PageFrame>
  );
}

interface Start {
  readonly draft: DocumentDraft;
  readonly source?: Document;
  readonly act?: Act;
}

const NOTES = { credit: 'fromCredit', cover: 'fromCover', pay: 'fromPay' } as const;

function Issue({ start }: { readonly start: Start }) {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  const [draft, setDraft] = useState(start.draft);
  const [total, setTotal] = useState<number | null>(null);
  const put = (part: Partial<DocumentDraft>) => setDraft({ ...draft, ...part });
  const { source, act } = start;
  const queries = useQueryClient();
  const isChanged = () => draft !== start.draft && queries.isMutating({ mutationKey: ISSUING }) === 0;
  return (
    <div className="split">
      <LeaveGuard isChanged={isChanged} />
      <div className="stack">
        {source && act && (
          <p className="note">
            {t(NOTES[act], { name: d('number', { type: d(source.type), number: source.number }) })}
          </p>
        )}
        <Details draft={draft} put={put} isFixed={source !== undefined} />
        {hasItems(draft.type) && <Items items={draft.items} onChange={(items) => put({ items })} />}
        {hasPayments(draft.type) && (
          <Payments draft={draft} total={total} onChange={(payments) => put({ payments })} />
        )}
        {draft.type === 'RECEIPT' && draft.party && (
          <Allocations draft={draft} onChange={(allocations) => put({ allocations })} />
        )}
      </div>
      <Preview draft={draft} onTotal={setTotal} />
    </div>
  );
}

interface DetailsProps {
  readonly draft: DocumentDraft;
  readonly put: (part: Partial<DocumentDraft>) => void;
  /** Whether the document comes from another one, with which it shares party and currency. */
  readonly isFixed: boolean;
}

function Details({ draft, put, isFixed }: DetailsProps) {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  return (
    <Section title={t('details')}>
      <div className="form-grid">
        <Choice
          label={d('type')}
          value={draft.type}
          onChange={(type) => put({ type: type })}
          options={TYPES.map((value) => ({ value, text: d(value) }))}
        />
        <PartyOf draft={draft} put={put} isFixed={isFixed} />
        <TextInput
          label={d('issueDate')}
          kind="date"
          value={draft.issueDate}
          onChange={(issueDate) => put({ issueDate })}
          help={t('todayHelp')}
        />
        {hasItems(draft.type) && (
          <TextInput
            label={d('dueDate')}
            kind="date"
            value={draft.dueDate}
            onChange={(dueDate) => put({ dueDate })}
            help={t('dueHelp')}
          />
        )}
        <TextInput
          label={d('currency')}
          kind="code"
          maxLength={3}
          value={draft.currency}
          onChange={(currency) => put({ currency: currency.toUpperCase(), allocations: {} })}
        />
        <TextInput
          label={d('externalId')}
          kind="code"
          maxLength={64}
          value={draft.externalId}
          onChange={(externalId) => put({ externalId })}
        />
      </div>
      <div className="form after">
        <TextInput
          label={d('notes')}
          kind="long"
          maxLength={2000}
          value={draft.notes}
          onChange={(notes) => put({ notes })}
        />
      </div>
    </Section>
  );
}

function PartyOf({ draft, put, isFixed }: DetailsProps) {
  const d = useTexts(DOCUMENTS);
  if (isFixed)
    return (
      <div className="react-aria-TextField">
        <span className="react-aria-Label">{d('party')}</span>
        <bdi className="strong clip">{draft.party?.name}</bdi>
      </div>
    );
  return <PartyPicker chosen={draft.party} onChoose={(party) => put({ party, allocations: {} })} />;
}
