import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { useParam } from '../../../parts/params.ts';
import { Lines } from '../lines.tsx';
import { Status } from '../status.tsx';
import { DOCUMENTS } from '../texts.ts';
import { type Document, hasReminders } from '../types.ts';
import { Acts } from './acts.tsx';
import { AllocationNumber } from './allocation-number.tsx';
import { Files } from './files.tsx';
import { Links } from './links.tsx';
import { Reminders } from './reminders.tsx';
import { Shares } from './shares.tsx';
import { RECORD } from './texts.ts';

/** Between two looks at a document whose allocation number is awaited. */
const PENDING_MS = 5_000;

export function Page() {
  const t = useTexts(DOCUMENTS);
  const { client, may } = useAccount();
  const id = useParam('id');
  const found = useQuery({
    queryKey: ['documents', 'one', id],
    queryFn: () => client.documents.get(id),
    // The tax authority answers within seconds.
    refetchInterval: ({ state }) => state.data?.approvalNumberStatus === 'PENDING' && PENDING_MS,
  });
  const document = found.data;
  const actions = (
    <>
      <ApiCall
        request={`GET /documents/id/${id}`}
        sdk={`await counterfoil.documents.get(${JSON.stringify(id)});`}
      />
      {document && may('write') && <Acts document={document} />}
    </>
  );
  const title = document ? t('number', { type: t(document.type), number: document.number }) : t('document');
  return (
    <PageFrame title={title} actions={actions}>
      {found.error && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {document && <Parts document={document} />}
    </PageFrame>
  );
}

function Parts({ document }: { readonly document: Document }) {
  const t = useTexts(DOCUMENTS);
  return (
    <div className="split">
      <div className="stack">
        <Section title={t('items')}>
          <Lines of={document} />
        </Section>
        <Links document={document} />
        {document.type !== 'SUPPLIER_INVOICE' && <Shares document={document} />}
      </div>
      <div className="stack">
        <Settlement document={document} />
        <Details document={document} />
        <AllocationNumber document={document} />
        <Files document={document} />
        {hasReminders(document) && <Reminders document={document} />}
      </div>
    </div>
  );
}

function Settlement({ document }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const d = useTexts(DOCUMENTS);
  const { money } = useFormats();
  const { status, coveredAmount, remainingAmount, totalWithTax, currency } = document;
  const share = totalWithTax > 0 ? Math.round((coveredAmount / totalWithTax) * 100) : 0;
  const text = t('settled', {
    covered: money(coveredAmount, currency),
    total: money(totalWithTax, currency),
  });
  return (
    <Section title={t('settlement')} actions={<Status status={status} />}>
      <progress className="covered" max={100} value={share} aria-label={text} />
      <Facts
        facts={[
          { name: d('covered'), value: money(coveredAmount, currency) },
          { name: d('remaining'), value: money(remainingAmount, currency) },
        ]}
      />
    </Section>
  );
}

function Details({ document }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const d = useTexts(DOCUMENTS);
  const { date } = useFormats();
  const { entity, issueDate, dueDate, period, externalId, notes, cancellationReason } = document;
  return (
    <Section title={t('details')}>
      <Facts
        facts={[
          { name: d('party'), value: entity.name },
          { name: d('issueDate'), value: date(issueDate) },
          dueDate !== null && { name: d('dueDate'), value: date(dueDate) },
          period !== null && {
            name: d('period'),
            value: `${date(period.from)} – ${date(period.until)}`,
          },
          externalId !== null && { name: d('externalId'), value: externalId },
          notes !== null && { name: d('notes'), value: notes },
          cancellationReason !== null && { name: t('cancellationReason'), value: cancellationReason },
        ]}
      />
      <p className="after">
        <Link to="/documents" search={{ entityId: entity.id }}>
          {t('allDocuments')}
        </Link>
      </p>
    </Section>
  );
}
