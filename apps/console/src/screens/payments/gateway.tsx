import type { RowOf } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { guide } from '../../app/addresses.ts';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { PAYMENTS } from './texts.ts';
import { CARDS_TITLE, PAYMENT_PAGES_TITLE, RECURRING_TITLE } from './title.ts';

const KEPT_MS = 60_000;

export type Card = RowOf<'GET /gateway/tokens'>;
export type Provider = RowOf<'GET /gateway/providers'>;

/** The providers of the service: none if its gateway is off. */
export function useProviders() {
  const { client } = useAccount();
  return useQuery({
    queryKey: ['gateway', 'providers'],
    queryFn: async (): Promise<readonly Provider[]> => (await client.gateway.providers.list()).data,
    staleTime: KEPT_MS,
  });
}

/** The saved cards, all in one answer. */
export function useCards() {
  const t = useTexts(PAYMENTS);
  const { client } = useAccount();
  const cards = useQuery({
    queryKey: ['gateway', 'cards'],
    queryFn: async (): Promise<readonly Card[]> => (await client.gateway.tokens.list()).data,
  });
  const known = new Map(cards.data?.map((card) => [card.id, card]));
  const textOf = ({ brand, last4 }: Card) => t('cardText', { brand, last4 });
  return {
    ...{ query: cards, all: cards.data ?? [], textOf },
    nameOf: (id: number, isOnPage = false) => {
      const card = known.get(id);
      if (card) return textOf(card);
      if (cards.isPending) return t('loading');
      return isOnPage ? t('cardOnce') : t('cardRemoved', { id });
    },
  };
}

interface PaymentsFrameProps {
  readonly title: string;
  readonly text: string;
  readonly actions?: ReactNode;
  /** For those who may write, while the gateway is on. */
  readonly write?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the pages of payments: the way to the others, and whether the gateway is on. */
export function PaymentsFrame({ title, text, actions, write, children }: PaymentsFrameProps) {
  const t = useTexts(PAYMENTS);
  const { may } = useAccount();
  const { data: providers } = useProviders();
  const isOff = providers?.length === 0;
  const buttons = (
    <>
      {actions}
      {may('write') && providers && !isOff && write}
    </>
  );
  return (
    <PageFrame title={title} text={text} actions={buttons}>
      <Pages />
      {isOff && (
        <div className="note">
          <p className="strong">{t('isOff')}</p>
          <p>
            {t('isOffText')} <a href={guide('gateway')}>{t('how')}</a>
          </p>
        </div>
      )}
      {providers?.some(({ isSandbox }) => isSandbox) && <p className="note">{t('sandbox')}</p>}
      {children}
    </PageFrame>
  );
}

function Pages() {
  const t = useTexts(PAYMENTS);
  const pages = [
    { to: '/payments', text: t('charges') },
    { to: '/payments/cards', text: useTexts(CARDS_TITLE)('title') },
    { to: '/payments/pages', text: useTexts(PAYMENT_PAGES_TITLE)('title') },
    { to: '/payments/recurring', text: useTexts(RECURRING_TITLE)('title') },
  ];
  return (
    <nav className="subpages" aria-label={t('pages')}>
      {pages.map(({ to, text }) => (
        <Link key={to} to={to} className="tab" activeOptions={{ exact: true, includeSearch: false }}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
