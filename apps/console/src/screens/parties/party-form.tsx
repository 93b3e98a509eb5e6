import type { BodyOf } from '@counterfoil/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { type Draft, draftOf, editBody, problemOf } from '../../parts/record-fields.ts';
import { RecordFields, SentChanges } from '../../parts/record-form.tsx';
import { useSendOnce } from '../../parts/send-once.ts';
import { useToasts } from '../../parts/toasts.tsx';
import { fieldsOf, newBody, type PartyKind } from './party-fields.ts';
import { PARTIES } from './texts.ts';

type Key = keyof typeof PARTIES.en;
const EMPTY: Draft = {};

interface NewPartyProps {
  readonly kind: PartyKind;
  readonly onClose: () => void;
}

export function NewParty({ kind, onClose }: NewPartyProps) {
  const t = useTexts(PARTIES);
  const { client } = useAccount();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const toasts = useToasts();
  const send = useSendOnce();
  const fields = fieldsOf(kind).filter(({ isForNew }) => isForNew);
  const [draft, setDraft] = useState<Draft>({ type: 'COMPANY' });
  const [isTried, setTried] = useState(false);
  const isWrong = fields.some((field) => problemOf(field, EMPTY, draft) !== null);
  const create = async () => {
    setTried(true);
    if (isWrong) return false;
    const body = newBody(fields, draft) as unknown as BodyOf<'POST /vendors/create'>;
    const { visibleId } = await send(body, async (options): Promise<{ readonly visibleId: string }> =>
      client[kind].create(body, options),
    );
    toasts.say(t('created', { name: draft['name'] ?? '' }));
    void queries.invalidateQueries({ queryKey: [kind] });
    void navigate({ to: `/${kind}/$id`, params: { id: visibleId } });
    return true;
  };
  return (
    <FormDialog title={t(`add_${kind}`)} label={t('create')} onClose={onClose} onSubmit={create}>
      <RecordFields
        {...{ fields, draft, setDraft }}
        before={isTried ? EMPTY : null}
        textOf={(name) => t(name as Key)}
      />
    </FormDialog>
  );
}

interface EditPartyProps extends NewPartyProps {
  readonly record: { readonly visibleId: string; readonly name: string };
}

/** Sends what was changed, and shows it before. */
export function EditParty({ kind, record, onClose }: EditPartyProps) {
  const t = useTexts(PARTIES);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const fields = fieldsOf(kind);
  const [before] = useState(() => draftOf(fields, { ...record }));
  const [draft, setDraft] = useState(before);
  const body = editBody(fields, before, draft);
  const isEmpty = Object.keys(body).length === 0;
  const isWrong = fields.some((field) => problemOf(field, before, draft) !== null);
  const save = async () => {
    await client[kind].edit(record.visibleId, body);
    toasts.say(t('saved', { name: draft['name'] ?? '' }));
    void queries.invalidateQueries({ queryKey: [kind] });
  };
  return (
    <FormDialog
      title={t('edit_title', { name: record.name })}
      label={t('save')}
      onClose={onClose}
      onSubmit={save}
      isDisabled={isWrong || isEmpty}
    >
      <RecordFields {...{ fields, draft, setDraft, before }} isEdit textOf={(name) => t(name as Key)} />
      <SentChanges body={body} />
    </FormDialog>
  );
}
