import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { Choice, TextInput } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { isoTime } from '../../parts/local-time.ts';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { KEYS } from './texts.ts';

const ROLES = ['viewer', 'editor', 'accountant', 'owner'] as const;

interface Draft {
  readonly userName: string;
  readonly name: string;
  readonly role: (typeof ROLES)[number];
  /** As `datetime-local` writes it. */
  readonly expires: string;
  /** One on each line. */
  readonly addresses: string;
}

/** The least that a key can be allowed, so that more is a decision. */
const EMPTY: Draft = { userName: '', name: '', role: 'viewer', expires: '', addresses: '' };

/** Creates a key, and shows it once. */
export function CreateKey() {
  const t = useTexts(KEYS);
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  return (
    <>
      <Button className="button primary" onPress={() => setOpen(true)}>
        {t('create')}
      </Button>
      {isOpen && <KeyDialog onClose={() => setOpen(false)} onCreated={setKey} />}
      <SecretDialog title={t('keyTitle')} note={t('keyOnce')} secret={key} onClose={() => setKey(null)} />
    </>
  );
}

interface KeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (key: string) => void;
}

function KeyDialog({ onClose, onCreated }: KeyDialogProps) {
  const t = useTexts(KEYS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(EMPTY);
  const create = async () => {
    const { key } = await client.apiKeys.create(inputOf(draft));
    onCreated(key);
    void queries.invalidateQueries({ queryKey: ['api-keys'] });
  };
  return (
    <FormDialog
      title={t('create')}
      label={t('create')}
      size="medium"
      isDisabled={draft.userName.trim() === ''}
      onClose={onClose}
      onSubmit={create}
      call={() => ({ request: 'POST /api-keys', sdk: 'apiKeys.create', body: inputOf(draft) })}
    >
      <KeyFields draft={draft} onChange={(changed) => setDraft({ ...draft, ...changed })} />
    </FormDialog>
  );
}

interface KeyFieldsProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
}

function KeyFields({ draft, onChange }: KeyFieldsProps) {
  const t = useTexts(KEYS);
  return (
    <>
      <TextInput
        label={t('user')}
        value={draft.userName}
        onChange={(userName) => onChange({ userName })}
        maxLength={200}
        isRequired
        help={t('userHelp')}
      />
      <Choice
        label={t('role')}
        value={draft.role}
        onChange={(role) => onChange({ role })}
        options={ROLES.map((value) => ({ value, text: t(value) }))}
        help={t(`${draft.role}Help`)}
      />
      <TextInput
        label={t('name')}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        maxLength={100}
        help={t('nameHelp')}
      />
      <TextInput
        label={t('expires')}
        kind="time"
        value={draft.expires}
        onChange={(expires) => onChange({ expires })}
        help={t('expiresHelp')}
      />
      <TextInput
        label={t('addresses')}
        kind="long"
        value={draft.addresses}
        onChange={(addresses) => onChange({ addresses })}
        help={t('addressesHelp')}
      />
    </>
  );
}

/** Reads the fields. Empty ones set no limit. */
function inputOf({ userName, name, role, expires, addresses }: Draft) {
  const allowed = addresses
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    userName: userName.trim(),
    role,
    name: name.trim() || null,
    expiresAt: isoTime(expires) ?? null,
    addresses: allowed.length > 0 ? allowed : null,
  };
}
