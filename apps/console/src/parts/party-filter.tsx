import { useChosenParty } from './chosen-party.ts';
import { useListQuery } from './list-query.ts';
import { PartyPicker } from './party-picker.tsx';

/** Filters by a client or vendor, found by name. The address has its number alone. */
export function PartyFilter() {
  const { search, change } = useListQuery();
  const id = Number(search['entityId'] ?? 0);
  const [chosen, remember] = useChosenParty(id > 0 ? id : null);
  return (
    <PartyPicker
      help={null}
      chosen={chosen}
      onChoose={(party) => {
        remember(party);
        change({ entityId: party?.id, offset: undefined });
      }}
    />
  );
}
