import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../app/locale.tsx';
import { useAccount } from '../app/session.tsx';
import { PARTY } from './party-messages.ts';
import type { Pick } from './pick.ts';

/**
 * The client or vendor of a numeric id, as an address keeps it, and a function that remembers one that was just chosen.
 * It has its number for a name until the service has named it.
 */
export function useChosenParty(id: number | null): readonly [Pick | null, (party: Pick | null) => void] {
  const t = useTexts(PARTY);
  const { client } = useAccount();
  const [chosen, setChosen] = useState<Pick | null>(null);
  const isKnown = id === null || chosen?.id === id;
  const found = useQuery({
    queryKey: ['parties', 'named', id],
    queryFn: async () => {
      const query = { limit: 1, ...(id !== null && { id }) };
      const [clients, vendors] = await Promise.all([client.clients.list(query), client.vendors.list(query)]);
      // A process of the release before, during an upgrade, ignores the filter.
      return [...clients.data, ...vendors.data].find((one) => one.id === id)?.name ?? null;
    },
    enabled: !isKnown,
  });
  if (id === null) return [null, setChosen];
  return [isKnown ? chosen : { id, name: found.data ?? t('numbered', { id }) }, setChosen];
}
