import { type AnswerOf, type BodyOf, isCounterfoilError } from '@counterfoil/sdk';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { isSessionEnd } from '../../../app/session-end.ts';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { DocumentLink } from '../../../parts/document-link.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { useDebounced } from '../../../parts/debounced.ts';
import { useGoOn } from '../../../parts/is-here.ts';
import { saveFile } from '../../../parts/save-file.ts';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { Lines } from '../lines.tsx';
import { Summary } from '../summary.tsx';
import { DOCUMENTS } from '../texts.ts';
import { bodyOf, type DocumentDraft, isComplete, lacksPayments } from './draft.ts';
import { ISSUE } from './texts.ts';

type Body = BodyOf<'POST /documents/preview'>;

/** The key of the mutation that issues the document. */
export const ISSUING = ['issue-document'] as const;

const PAUSE_MS = 400;

interface PreviewProps {
  readonly draft: DocumentDraft;
  readonly onTotal: (total: number | null) => void;
}

/** Asks what the document would be as soon as it is whole and the typing rests. */
function usePreview(draft: DocumentDraft) {
  const { client } = useAccount();
  const isWhole = isComplete(draft);
  const isUnpaid = lacksPayments(draft);
  const body = bodyOf(draft);
  const typed = JSON.stringify(isUnpaid ? { ...body, type: 'TAX_INVOICE', payments: undefined } : body);
  const rested = useDebounced(typed, PAUSE_MS);
  const preview = useQuery({
    // Apart from what is read of documents: it is not asked again when one has been issued.
    queryKey: ['document-preview', rested],
    queryFn: () => client.documents.preview(JSON.parse(rested) as Body),
    enabled: isWhole,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const shown = isWhole && !preview.error ? preview.data : undefined;
  // Without a network, the query pauses and keeps the previous answer.
  const isCurrent = typed === rested && preview.fetchStatus === 'idle' && !preview.isPlaceholderData;
  return { body, preview, shown, isWhole, isUnpaid, isCurrent };
}

/** The document as it would be issued now, and the button that issues it. */
export function Preview({ draft, onTotal }: PreviewProps) {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  const { may } = useAccount();
  const { body, preview, shown, isWhole, isUnpaid, isCurrent } = usePreview(draft);
  // Here, because the buttons go with the preview, and with them the key that keeps a lost answer from issuing twice.
  const issuing = useIssuing();
  useEffect(() => onTotal(shown?.totalWithTax ?? null), [shown?.totalWithTax]);
  const call = (
    <ApiCall
      request="POST /documents/preview"
      sdk={`await counterfoil.documents.preview(${JSON.stringify(body, null, 2)});`}
      body={body}
    />
  );
  return (
    <aside className="paper stack" aria-label={t('preview')}>
      <Section title={t('preview')} actions={call}>
        <NoPreview
          type={draft.type}
          isWhole={isWhole}
          error={preview.error}
          retry={() => void preview.refetch()}
        />
        {shown && (
          <div className={isCurrent ? undefined : 'stale'} aria-busy={!isCurrent}>
            {isUnpaid && <p className="note">{t('withoutPayments')}</p>}
            <PreviewHead shown={shown} type={d(draft.type)} />
            <Lines of={shown} />
            <Paid allocations={body.allocations} currency={shown.currency} />
          </div>
        )}
      </Section>
      {issuing.error && !isOld(issuing, body) && <ErrorNotice error={issuing.error} />}
      {may('write') && shown && !isUnpaid && <Buttons {...{ body, shown, isCurrent, issuing }} />}
    </aside>
  );
}

interface NoPreviewProps {
  readonly type: string;
  readonly isWhole: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Says why there is no preview; nothing if there is one. */
function NoPreview({ type, isWhole, error, retry }: NoPreviewProps) {
  const t = useTexts(ISSUE);
  if (!isWhole)
    return <p className="quiet-text">{t(type === 'RECEIPT' ? 'incompleteReceipt' : 'incomplete')}</p>;
  if (!error) return null;
  if (isSessionEnd(error)) return <ErrorNotice error={error} retry={retry} />;
  return (
    <>
      <p className="strong">{t('refused')}</p>
      <ErrorNotice error={error} />
    </>
  );
}

interface PreviewHeadProps {
  readonly shown: {
    readonly entity: { readonly name: string };
    readonly issueDate: string;
    readonly dueDate: string | null;
    readonly notes: string | null;
  };
  readonly type: string;
}

function PreviewHead({ shown, type }: PreviewHeadProps) {
  const d = useTexts(DOCUMENTS);
  const { date } = useFormats();
  return (
    <div className="before">
      <p className="paper-title">{type}</p>
      <Facts
        facts={[
          { name: d('party'), value: shown.entity.name },
          { name: d('issueDate'), value: date(shown.issueDate) },
          shown.dueDate !== null && { name: d('dueDate'), value: date(shown.dueDate) },
          shown.notes !== null && { name: d('notes'), value: shown.notes },
        ]}
      />
    </div>
  );
}

interface PaidProps {
  readonly allocations: Body['allocations'];
  readonly currency: string;
}

function Paid({ allocations, currency }: PaidProps) {
  const t = useTexts(ISSUE);
  const { money } = useFormats();
  return allocations?.map(({ documentId, amount }) => (
    <p key={documentId}>
      {t('paid')} <DocumentLink id={documentId} />: {money(amount, currency)}
    </p>
  ));
}

/** Issues a document: the same body again after a lost answer is the same document. */
function useIssuing() {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  const { client } = useAccount();
  const goOn = useGoOn();
  const queries = useQueryClient();
  const toasts = useToasts();
  const send = useSendOnce();
  return useMutation({
    mutationKey: ISSUING,
    mutationFn: ({ type, ...sent }: Body) =>
      send({ type, ...sent }, (options) => client.documents.create(type, sent, options)),
    // It lasts until the document is shown, so that it cannot be issued again meanwhile.
    onSuccess: async ({ visibleId, number }, { type }) => {
      toasts.say(t('issued', { name: d('number', { type: d(type), number }) }));
      void queries.invalidateQueries({ queryKey: ['documents'] });
      await goOn({ to: '/documents/$id', params: { id: visibleId } });
    },
  });
}

/** Whether the service refused another body than the present one. A lost answer stays: the document may be issued. */
function isOld({ error, variables }: ReturnType<typeof useIssuing>, body: Body): boolean {
  const isRefusal = isCounterfoilError(error) && error.status !== undefined && error.status < 500;
  return isRefusal && JSON.stringify(variables) !== JSON.stringify(body);
}

interface ButtonsProps {
  readonly body: Body;
  readonly shown: AnswerOf<'POST /documents/preview'>;
  readonly isCurrent: boolean;
  readonly issuing: ReturnType<typeof useIssuing>;
}

function Buttons({ body, shown, isCurrent, issuing }: ButtonsProps) {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  const { client } = useAccount();
  const toasts = useToasts();
  const saving = useMutation({
    mutationFn: () => client.documents.previewHtml(body),
    onSuccess: (page) => saveFile(new Blob([page], { type: 'text/html' }), 'preview.html'),
    onError: (error) => toasts.fail(error),
  });
  return (
    <div className="actions end">
      <Button className="button" onPress={() => saving.mutate()} isDisabled={saving.isPending}>
        {t('file')}
      </Button>
      <Confirm
        isMain
        label={issuing.isPending ? t('issuing') : t('issue')}
        title={t('question', { name: d(body.type) })}
        isDisabled={issuing.isPending || !isCurrent}
        onConfirm={() => issuing.mutate(body)}
      >
        <Summary of={shown} />
        <p>{t('consequence')}</p>
      </Confirm>
    </div>
  );
}
