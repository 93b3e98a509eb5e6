import type { AnswerOf } from '@counterfoil/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { FormButton } from '../../../parts/form-dialog.tsx';
import { type PlainColumn, PlainTable } from '../../../parts/plain-table.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import type { Document } from '../types.ts';
import { RECORD } from './texts.ts';

type Share = AnswerOf<'GET /documents/id/{id}/shares'>['data'][number];

export const sharesKey = (visibleId: string) => ['documents', 'shares', visibleId];

/** The links of a document with their views, the newest first. */
export function Shares({ document: { visibleId } }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const { client } = useAccount();
  const found = useQuery({
    queryKey: sharesKey(visibleId),
    queryFn: async () => (await client.documents.shares(visibleId)).data.toReversed(),
  });
  const columns = useColumns(visibleId);
  return (
    <Section title={t('shares')}>
      {found.error && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
      {found.data?.length === 0 && <p className="quiet-text">{t('noShares')}</p>}
      {found.data && found.data.length > 0 && (
        <PlainTable label={t('shares')} columns={columns} rows={found.data} idOf={({ id }) => id} />
      )}
    </Section>
  );
}

type State = 'shareLive' | 'shareExpired' | 'shareRevoked';

function stateOf({ revokedAt, expiresAt }: Share): State {
  if (revokedAt !== null) return 'shareRevoked';
  return new Date(expiresAt) > new Date() ? 'shareLive' : 'shareExpired';
}

function useColumns(visibleId: string): readonly PlainColumn<Share>[] {
  const t = useTexts(RECORD);
  const { date, time, number } = useFormats();
  const { may } = useAccount();
  return [
    {
      ...{ id: 'made', title: t('shareMade') },
      cell: ({ createdAt, expiresAt }) => (
        <>
          {time(createdAt)}
          <div className="quiet-text">{t('shareUntil', { time: date(expiresAt) })}</div>
        </>
      ),
    },
    { id: 'stamp', title: t('stamp'), cell: ({ stamp }) => t(stamp) },
    {
      ...{ id: 'views', title: t('shareViews') },
      cell: ({ views, lastViewedAt }) => (
        <>
          {number(views)}
          {lastViewedAt !== null && (
            <div className="quiet-text">{t('shareLastView', { time: date(lastViewedAt) })}</div>
          )}
        </>
      ),
    },
    {
      ...{ id: 'state', title: t('shareState') },
      cell: (share) => (
        <>
          <div>{t(stateOf(share))}</div>
          {may('write') && stateOf(share) === 'shareLive' && <RevokeShare {...{ visibleId, share }} />}
        </>
      ),
    },
  ];
}

interface RevokeShareProps {
  readonly visibleId: string;
  readonly share: Share;
}

function RevokeShare({ visibleId, share: { id, createdAt, stamp } }: RevokeShareProps) {
  const t = useTexts(RECORD);
  const { time } = useFormats();
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const named = { id, time: time(createdAt), stamp: t(stamp) };
  const revoke = async () => {
    await client.documents.revokeShare(visibleId, id);
    toasts.say(t('shareWasRevoked'));
    void queries.invalidateQueries({ queryKey: sharesKey(visibleId) });
  };
  return (
    <FormButton
      label={t('revokeShare')}
      name={t('revokeShareNamed', named)}
      submit={t('revokeShare')}
      title={t('revokeShareQuestion')}
      look="small"
      size="narrow"
      onSubmit={revoke}
      call={() => ({
        request: `DELETE /documents/id/${visibleId}/shares/${id}`,
        sdk: 'documents.revokeShare',
        ids: [visibleId, id],
      })}
    >
      <p>{t('revokeShareText', named)}</p>
    </FormButton>
  );
}
