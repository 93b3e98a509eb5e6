import type { QueryOf, RowOf } from '@counterfoil/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DocumentLink, NamedDocument } from '../../parts/document-link.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { filtersOf, queryText } from '../../parts/filter-values.ts';
import { ChoiceFilter, Filters } from '../../parts/filters.tsx';
import { PAGE_SIZE, useListQuery } from '../../parts/list-query.ts';
import { Loading } from '../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../parts/page.tsx';
import { MAILS } from './texts.ts';
import { MAILS_TITLE } from './title.ts';

type Mail = RowOf<'GET /mails'>;
type Query = NonNullable<QueryOf<'GET /mails'>>;

const FILTERS = ['status'] as const;
const LOOKS = { queued: 'state', accepted: 'state good', failed: 'state bad' } as const;
const STATUSES = Object.keys(LOOKS) as Mail['status'][];

export function Page() {
  const title = useTexts(MAILS_TITLE)('title');
  const t = useTexts(MAILS);
  const { client } = useAccount();
  const { offset, search } = useListQuery();
  const filters = filtersOf(search, FILTERS);
  const query = { ...filters, limit: PAGE_SIZE, offset } as unknown as Query;
  const mails = useQuery({
    queryKey: ['mails', query],
    queryFn: async () => client.mails.list(query),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const isFiltered = Object.keys(filters).length > 0;
  const call = (
    <ApiCall
      request={`GET /mails?${queryText(query)}`}
      sdk={`const { data } = await counterfoil.mails.list(${JSON.stringify(query)});`}
    />
  );
  return (
    <PageFrame title={title} text={t('text')} actions={call}>
      <Filters names={FILTERS}>
        <ChoiceFilter
          name="status"
          label={t('status')}
          options={STATUSES.map((value) => ({ value, text: t(value) }))}
        />
      </Filters>
      {mails.error && <ErrorNotice error={mails.error} retry={() => void mails.refetch()} />}
      {mails.isPending && <Loading />}
      {mails.data && (
        <DataTable
          label={title}
          columns={columns}
          rows={mails.data.data}
          idOf={({ id }) => id}
          total={mails.data.pagination.total}
          empty={
            <EmptyState title={t(isFiltered ? 'noneFound' : 'empty')}>
              {!isFiltered && <p>{t('first')}</p>}
            </EmptyState>
          }
        />
      )}
    </PageFrame>
  );
}

function DocumentOf({ mail }: { readonly mail: Mail }) {
  const { documentId, documentVisibleId: visibleId } = mail;
  const { documentType: type, documentNumber: number }: Partial<Mail> = mail;
  // A process of the release before, during an upgrade, does not name it.
  if (type === undefined || number === undefined) return <DocumentLink id={documentId} />;
  return <NamedDocument document={{ visibleId, type, number }} />;
}

function useColumns(): readonly Column<Mail>[] {
  const t = useTexts(MAILS);
  const { time } = useFormats();
  return [
    {
      ...{ id: 'recipient', title: t('recipient') },
      cell: ({ recipient }) => (
        <bdi dir="ltr" className="clip strong">
          {recipient}
        </bdi>
      ),
    },
    {
      ...{ id: 'document', title: t('document') },
      cell: (mail) => <DocumentOf mail={mail} />,
    },
    {
      ...{ id: 'status', title: t('status') },
      cell: ({ status }) => <span className={LOOKS[status]}>{t(status)}</span>,
    },
    {
      ...{ id: 'why', title: t('why') },
      cell: ({ failure, response }) => (
        <span className="wraps">
          {failure === null ? '' : t(failure)} <bdi className="quiet-text">{response}</bdi>
        </span>
      ),
    },
    { id: 'time', title: t('time'), cell: ({ createdAt, finishedAt }) => time(finishedAt ?? createdAt) },
  ];
}
