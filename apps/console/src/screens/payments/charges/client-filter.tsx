import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { PartyPicker } from '../../../parts/party-picker.tsx';
import type { Pick } from '../../../parts/pick.ts';
import { PAYMENTS } from '../texts.ts';

/** Filters by a client or vendor, found by name. The address has its number alone. */
export function ClientFilter() {
  const t = useTexts(PAYMENTS);
  const { search, change } = useListQuery();
  const [named, setNamed] = useState<Pick | null>(null);
  const id = Number(search['entityId'] ?? 0);
  const unnamed = id > 0 ? { id, name: t('clientNumber', { id }) } : null;
  return (
    <PartyPicker
      help={null}
      chosen={named?.id === id ? named : unnamed}
      onChoose={(party) => {
        setNamed(party);
        change({ entityId: party?.id, offset: undefined });
      }}
    />
  );
}
