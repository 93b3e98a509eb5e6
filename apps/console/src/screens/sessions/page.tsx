import type { RowOf } from '@counterfoil/sdk';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount, useSessions } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PAGE_SIZE, useListQuery } from '../../parts/list-query.ts';
import { Loading } from '../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../parts/page.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { browserName } from './browser-name.ts';
import { SESSIONS } from './texts.ts';
import { SESSIONS_TITLE } from './title.ts';

type Session = RowOf<'GET /sessions'>;

export function Page() {
  const title = useTexts(SESSIONS_TITLE);
  const t = useTexts(SESSIONS);
  const { client } = useAccount();
  const { offset } = useListQuery();
  const query = { limit: PAGE_SIZE, offset };
  const sessions = useQuery({
    queryKey: ['sessions', query],
    queryFn: async () => client.sessions.list(query),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const call = (
    <ApiCall
      request={`GET /sessions?limit=${PAGE_SIZE}&offset=${offset}`}
      sdk={`for await (const session of counterfoil.sessions.list()) console.log(session.userName);`}
    />
  );
  return (
    <PageFrame title={title('title')} text={t('text')} actions={call}>
      {sessions.error && <ErrorNotice error={sessions.error} retry={() => void sessions.refetch()} />}
      {sessions.isPending && <Loading />}
      {sessions.data && (
        <DataTable
          label={title('title')}
          columns={columns}
          rows={sessions.data.data}
          idOf={({ id }) => id}
          total={sessions.data.pagination.total}
          empty={<EmptyState title={t('empty')} />}
        />
      )}
    </PageFrame>
  );
}

function useColumns(): readonly Column<Session>[] {
  const t = useTexts(SESSIONS);
  const { time } = useFormats();
  return [
    {
      id: 'user',
      title: t('user'),
      cell: ({ userName, isCurrent }) => (
        <>
          <bdi className="strong">{userName}</bdi>
          {isCurrent && (
            <div>
              <span className="badge">{t('current')}</span>
            </div>
          )}
        </>
      ),
    },
    { id: 'role', title: t('role'), cell: ({ role }) => t(role) },
    { id: 'browser', title: t('browser'), cell: ({ userAgent }) => <Browser userAgent={userAgent} /> },
    { id: 'address', title: t('address'), cell: ({ address }) => <bdi>{address}</bdi> },
    { id: 'since', title: t('since'), cell: ({ createdAt }) => time(createdAt) },
    { id: 'expires', title: t('expires'), cell: ({ expiresAt }) => time(expiresAt) },
    {
      id: 'actions',
      title: t('end'),
      isTitleHidden: true,
      cell: (session) => <EndSession session={session} />,
    },
  ];
}

function Browser({ userAgent }: { readonly userAgent: string | null }) {
  const t = useTexts(SESSIONS);
  const name = browserName(userAgent);
  // In the direction of the page: the names of the browser and its system are Latin in a Hebrew sentence.
  return <span title={userAgent ?? undefined}>{name ? t('on', { ...name }) : t('unknown')}</span>;
}

function EndSession({ session }: { readonly session: Session }) {
  const t = useTexts(SESSIONS);
  const { time } = useFormats();
  const { client } = useAccount();
  const { signOut } = useSessions();
  const queries = useQueryClient();
  const toasts = useToasts();
  const { id, userName: name, isCurrent } = session;
  const ending = useMutation({
    mutationFn: async () => {
      if (isCurrent) await signOut();
      else await client.sessions.end(id);
    },
    onSuccess: () => toasts.say(t('ended', { name })),
    onError: (error) => toasts.fail(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Confirm
      label={t('end')}
      name={t('endNamed', { name, since: time(session.createdAt) })}
      title={t('question')}
      onConfirm={() => ending.mutate()}
    >
      {t('consequence', { name })}
    </Confirm>
  );
}
