import { useTexts } from '../app/locale.tsx';
import { useAccount } from '../app/session.tsx';
import { PARTY } from './party-messages.ts';
import type { Pick } from './pick.ts';
import { Picker } from './picker.tsx';

const FOUND = 10;

interface PartyPickerProps {
  readonly chosen: Pick | null;
  readonly onChoose: (party: Pick | null) => void;
  readonly label?: string;
  /** Null for none. */
  readonly help?: string | null;
}

/** Finds a client or a vendor, by its numeric id. */
export function PartyPicker({ chosen, onChoose, label, help }: PartyPickerProps) {
  const t = useTexts(PARTY);
  const { client } = useAccount();
  const find = async (text: string): Promise<readonly Pick[]> => {
    const query = { limit: FOUND, ...(text !== '' && { search: text }) };
    const [clients, vendors] = await Promise.all([client.clients.list(query), client.vendors.list(query)]);
    const found = new Map([...clients.data, ...vendors.data].map((one) => [one.id, one]));
    return [...found.values()].map(({ id, name, taxId }) => ({ id, name, detail: taxId }));
  };
  return (
    <Picker
      label={label ?? t('party')}
      kind="parties"
      chosen={chosen}
      onChoose={onChoose}
      find={find}
      {...(help !== null && { help: help ?? t('find') })}
    />
  );
}
