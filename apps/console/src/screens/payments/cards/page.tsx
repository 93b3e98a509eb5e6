import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState } from '../../../parts/page.tsx';
import { type PlainColumn, PlainTable } from '../../../parts/plain-table.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import { type Card, PaymentsFrame, useCards } from '../gateway.tsx';
import { PAYMENTS } from '../texts.ts';
import { CARDS_TITLE } from '../title.ts';
import { SaveCard } from './save-card.tsx';
import { CARDS } from './texts.ts';

const expiry = ({ expiryMonth, expiryYear }: Card) => `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;

export function Page() {
  const title = useTexts(CARDS_TITLE)('title');
  const t = useTexts(CARDS);
  const { query: cards } = useCards();
  const columns = useColumns();
  const call = (
    <ApiCall request="GET /gateway/tokens" sdk="const { data } = await counterfoil.gateway.tokens.list();" />
  );
  return (
    <PaymentsFrame title={title} text={t('text')} actions={call} write={<SaveCard />}>
      {cards.error && <ErrorNotice error={cards.error} retry={() => void cards.refetch()} />}
      {cards.isPending && <Loading />}
      {cards.data?.length === 0 && (
        <EmptyState title={t('empty')}>
          <p>{t('first')}</p>
        </EmptyState>
      )}
      {cards.data && cards.data.length > 0 && (
        <PlainTable label={title} columns={columns} rows={cards.data} idOf={({ id }) => id} />
      )}
    </PaymentsFrame>
  );
}

function useColumns(): readonly PlainColumn<Card>[] {
  const t = useTexts(CARDS);
  const p = useTexts(PAYMENTS);
  const { may } = useAccount();
  const { time } = useFormats();
  const { textOf } = useCards();
  const columns: PlainColumn<Card>[] = [
    {
      ...{ id: 'card', title: p('card') },
      cell: (card) => (
        <>
          <bdi className="strong">{textOf(card)}</bdi> <span className="quiet-text">({card.id})</span>
        </>
      ),
    },
    { id: 'expires', title: t('expires'), cell: (card) => <bdi dir="ltr">{expiry(card)}</bdi> },
    {
      ...{ id: 'client', title: p('client') },
      cell: ({ entity }) =>
        // A process of the release before, during an upgrade, leaves it out.
        entity ? (
          <Link to="/payments" search={{ entityId: entity.id }}>
            <bdi>{entity.name}</bdi>
          </Link>
        ) : (
          '—'
        ),
    },
    { id: 'provider', title: t('provider'), cell: ({ provider }) => <bdi>{provider}</bdi> },
    { id: 'created', title: p('created'), cell: ({ createdAt }) => time(createdAt) },
    {
      ...{ id: 'charges', title: t('charges') },
      cell: ({ id }) => (
        <Link to="/payments" search={{ tokenId: id }}>
          {t('charges')}
        </Link>
      ),
    },
  ];
  if (!may('write')) return columns;
  return [
    ...columns,
    { id: 'remove', title: t('remove'), isTitleHidden: true, cell: (card) => <Remove card={card} /> },
  ];
}

function Remove({ card }: { readonly card: Card }) {
  const t = useTexts(CARDS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const { textOf } = useCards();
  const removing = useMutation({
    mutationFn: () => client.gateway.tokens.detach(card.id),
    onSuccess: () => toasts.say(t('removed')),
    onError: (error) => toasts.fail(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['gateway'] }),
  });
  const name = textOf(card);
  return (
    <Confirm
      label={t('remove')}
      name={t('removeName', { card: name, id: card.id })}
      title={t('removeQuestion')}
      onConfirm={() => removing.mutate()}
    >
      {t('removeText', { card: name })}
    </Confirm>
  );
}
