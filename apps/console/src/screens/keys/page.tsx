import type { RowOf } from '@counterfoil/sdk';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PAGE_SIZE, useListQuery } from '../../parts/list-query.ts';
import { Loading } from '../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../parts/page.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { CreateKey } from './create-key.tsx';
import { KEYS } from './texts.ts';
import { KEYS_TITLE } from './title.ts';

type Key = RowOf<'GET /api-keys'>;

export function Page() {
  const title = useTexts(KEYS_TITLE);
  const t = useTexts(KEYS);
  const { client } = useAccount();
  const { offset } = useListQuery();
  const query = { limit: PAGE_SIZE, offset };
  const keys = useQuery({
    queryKey: ['api-keys', query],
    queryFn: async () => client.apiKeys.list(query),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const call = (
    <ApiCall
      request={`GET /api-keys?limit=${PAGE_SIZE}&offset=${offset}`}
      sdk={`for await (const key of counterfoil.apiKeys.list()) console.log(key.userName, key.role);`}
    />
  );
  const actions = (
    <>
      {call}
      <CreateKey />
    </>
  );
  return (
    <PageFrame title={title('title')} text={t('text')} actions={actions}>
      {keys.error && <ErrorNotice error={keys.error} retry={() => void keys.refetch()} />}
      {keys.isPending && <Loading />}
      {keys.data && (
        <DataTable
          label={title('title')}
          columns={columns}
          rows={keys.data.data}
          idOf={({ id }) => id}
          total={keys.data.pagination.total}
          empty={<EmptyState title={t('empty')} />}
        />
      )}
    </PageFrame>
  );
}

function useColumns(): readonly Column<Key>[] {
  const t = useTexts(KEYS);
  const { time } = useFormats();
  const { signedIn } = useAccount();
  const orNever = (at: string | null) => (at === null ? t('never') : time(at));
  return [
    {
      id: 'user',
      title: t('user'),
      cell: ({ id, userName, name }) => (
        <>
          <bdi className="strong">{userName}</bdi>
          {name && (
            <div className="quiet-text">
              <bdi>{name}</bdi>
            </div>
          )}
          {id === signedIn.apiKeyId && (
            <div>
              <span className="badge">{t('own')}</span>
            </div>
          )}
        </>
      ),
    },
    { id: 'role', title: t('role'), cell: ({ role }) => t(role) },
    { id: 'created', title: t('created'), cell: ({ createdAt }) => time(createdAt) },
    { id: 'used', title: t('lastUsed'), cell: ({ lastUsedAt }) => orNever(lastUsedAt) },
    { id: 'expires', title: t('expires'), cell: ({ expiresAt }) => orNever(expiresAt) },
    {
      id: 'addresses',
      title: t('addresses'),
      cell: ({ addresses }) => <bdi>{addresses?.join(', ') ?? t('any')}</bdi>,
    },
    { id: 'actions', title: t('revoke'), isTitleHidden: true, cell: (key) => <RevokeKey apiKey={key} /> },
  ];
}

function RevokeKey({ apiKey }: { readonly apiKey: Key }) {
  const t = useTexts(KEYS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const name = apiKey.name ?? apiKey.userName;
  const revoking = useMutation({
    mutationFn: () => client.apiKeys.revoke(apiKey.id),
    onSuccess: () => toasts.say(t('revoked', { name })),
    onError: (error) => toasts.fail(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  return (
    <Confirm
      label={t('revoke')}
      name={t('revokeNamed', { name })}
      title={t('question')}
      onConfirm={() => revoking.mutate()}
    >
      {t('consequence', { name })}
    </Confirm>
  );
}
