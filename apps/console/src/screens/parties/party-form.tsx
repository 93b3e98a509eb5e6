import type { BodyOf } from '@counterfoil/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { Choice, TextInput } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useSendOnce } from '../../parts/send-once.ts';
import { useToasts } from '../../parts/toasts.tsx';
import {
  changeOf,
  type Draft,
  draftOf,
  editBody,
  fieldsOf,
  newBody,
  type PartyField,
  type PartyKind,
  problemOf,
} from './party-fields.ts';
import { PARTIES } from './texts.ts';

type Key = keyof typeof PARTIES.en;
const GROUPS = ['identity', 'terms', 'bank', 'withholding'] as const;
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
      <PartyFields {...{ fields, draft, setDraft }} before={isTried ? EMPTY : null} />
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
      <PartyFields {...{ fields, draft, setDraft, before }} isEdit />
      <section className="sent" aria-live="polite">
        <p className="quiet-text">{isEmpty ? t('nothing') : t('sent')}</p>
        {!isEmpty && (
          <pre dir="ltr" tabIndex={0} aria-label={t('sent')}>
            {JSON.stringify(body, null, 2)}
          </pre>
        )}
      </section>
    </FormDialog>
  );
}

interface PartyFieldsProps {
  readonly fields: readonly PartyField[];
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  /** With which the draft is compared; null while nothing is reported. */
  readonly before: Draft | null;
  readonly isEdit?: boolean;
}

function PartyFields({ fields, draft, setDraft, before, isEdit }: PartyFieldsProps) {
  const t = useTexts(PARTIES);
  return GROUPS.filter((group) => fields.some((field) => field.group === group)).map((group) => (
    <section key={group} className="form">
      <h3>{t(`group_${group}`)}</h3>
      <div className="form-grid">
        {fields
          .filter((field) => field.group === group)
          .map((field) => (
            <OneField
              key={field.name}
              field={field}
              value={draft[field.name] ?? ''}
              onChange={(value) => setDraft({ ...draft, [field.name]: value })}
              problem={before && problemOf(field, before, draft)}
              change={isEdit && before ? changeOf(field, before, draft) : 'left'}
            />
          ))}
      </div>
    </section>
  ));
}

interface OneFieldProps {
  readonly field: PartyField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: ReturnType<typeof problemOf>;
  readonly change: ReturnType<typeof changeOf>;
}

function OneField({ field, value, onChange, problem, change }: OneFieldProps) {
  const t = useTexts(PARTIES);
  const { name, kind, choices, clears, isRequired, maxLength } = field;
  const common = {
    ...{ label: t(name as Key), value, onChange },
    problem: problem === null ? undefined : t(problem),
    help: change === 'left' || problem !== null ? undefined : t(change),
  };
  if (kind !== 'choice' && kind !== 'flag')
    return (
      <div className={`changes ${change}`}>
        <TextInput
          {...common}
          kind={kind}
          {...(maxLength !== undefined && { maxLength })}
          {...(clears === 'default' && { placeholder: t('companyDefault') })}
        />
      </div>
    );
  const none = { value: '', text: clears === 'default' ? t('companyDefault') : t('notSet') };
  const options = (choices ?? []).map((choice) => ({ value: choice, text: t(choice as Key) }));
  return (
    <div className={`changes ${change}`}>
      <Choice {...common} options={isRequired || kind === 'flag' ? options : [none, ...options]} />
    </div>
  );
}
