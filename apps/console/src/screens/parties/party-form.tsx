import type { BodyOf } from '@counterfoil/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { type FormCall, FROM_ANSWER } from '../../parts/form-call.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useGoOn } from '../../parts/is-here.ts';
import { addressBody, addressFields, addressShown } from '../../parts/address-fields.ts';
import { type Body, type Draft, draftOf, editBody, problemOf } from '../../parts/record-fields.ts';
import { RecordFields, SentChanges } from '../../parts/record-form.tsx';
import { useSendOnce } from '../../parts/send-once.ts';
import { useToasts } from '../../parts/toasts.tsx';
import { fieldsOf, newBody, type PartyKind } from './party-fields.ts';
import { PARTIES } from './texts.ts';

type Key = keyof typeof PARTIES.en;
const EMPTY: Draft = {};
const NEW_PARTY: Draft = { type: 'COMPANY', ...addressShown(null) };

interface NewPartyProps {
  readonly kind: PartyKind;
  readonly onClose: () => void;
}

export function NewParty({ kind, onClose }: NewPartyProps) {
  const t = useTexts(PARTIES);
  const { client } = useAccount();
  const goOn = useGoOn();
  const queries = useQueryClient();
  const toasts = useToasts();
  const send = useSendOnce();
  const sendAddress = useAddress();
  const own = fieldsOf(kind).filter(({ isForNew }) => isForNew);
  const [draft, setDraft] = useState<Draft>(NEW_PARTY);
  const [isTried, setTried] = useState(false);
  const fields = [...own, ...addressFields(draft)];
  const isWrong = fields.some((field) => problemOf(field, EMPTY, draft) !== null);
  const create = async () => {
    setTried(true);
    if (isWrong) return false;
    const filled = { ...newBody(own, draft), ...(await sendAddress(NEW_PARTY, draft)) };
    const body = filled as unknown as BodyOf<'POST /vendors/create'>;
    const { visibleId } = await send(body, async (options): Promise<{ readonly visibleId: string }> =>
      client[kind].create(body, options),
    );
    toasts.say(t('created', { name: draft['name'] ?? '' }));
    void queries.invalidateQueries({ queryKey: [kind] });
    void goOn({ to: `/${kind}/$id`, params: { id: visibleId } });
    return true;
  };
  return (
    <FormDialog
      title={t(`add_${kind}`)}
      label={t('create')}
      onClose={onClose}
      onSubmit={create}
      call={() => ({
        request: `POST /${kind}/create`,
        sdk: `${kind}.create`,
        ...sentOf(newBody(own, draft), addressBody(NEW_PARTY, draft)),
      })}
    >
      <RecordFields
        {...{ fields, draft, setDraft }}
        before={isTried ? EMPTY : null}
        textOf={(name) => t(name as Key)}
      />
    </FormDialog>
  );
}

interface EditPartyProps extends NewPartyProps {
  readonly record: { readonly visibleId: string; readonly name: string; readonly address: object | null };
}

/**
 * Addresses are records of their own: creates a new one and returns what refers to it, or what clears it. An address that
 * was created before the other call failed is used again.
 */
function useAddress(): (before: Draft, draft: Draft) => Promise<{ readonly addressId?: number | null }> {
  const { client } = useAccount();
  const send = useSendOnce();
  const created = useRef<{ readonly text: string; readonly addressId: number }>(undefined);
  return async (before, draft) => {
    const address = addressBody(before, draft);
    if (address === undefined) return {};
    if (address === null) return { addressId: null };
    const text = JSON.stringify(address);
    if (created.current?.text !== text) {
      const { addressId } = await send(address, (options) => client.addresses.create(address, options));
      created.current = { text, addressId };
    }
    return { addressId: created.current.addressId };
  };
}

/** The calls of a form: that of a new address comes first. */
function sentOf(
  body: Body,
  address: ReturnType<typeof addressBody>,
): Pick<FormCall, 'first'> & { readonly body: Body } {
  if (address === undefined) return { body };
  if (address === null) return { body: { ...body, addressId: null } };
  const first = {
    request: 'POST /addresses/create',
    sdk: 'addresses.create',
    body: address,
    answer: 'addressId',
  };
  return { first, body: { ...body, addressId: FROM_ANSWER } };
}

/** Sends what was changed, and shows it before. */
export function EditParty({ kind, record, onClose }: EditPartyProps) {
  const t = useTexts(PARTIES);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const sendAddress = useAddress();
  const own = fieldsOf(kind);
  const [before] = useState(() =>
    draftOf([...own, ...addressFields(EMPTY)], { ...record, ...addressShown(record.address) }),
  );
  const [draft, setDraft] = useState(before);
  const fields = [...own, ...addressFields(draft)];
  const body = editBody(own, before, draft);
  const sent = sentOf(body, addressBody(before, draft));
  const isEmpty = Object.keys(sent.body).length === 0;
  const isWrong = fields.some((field) => problemOf(field, before, draft) !== null);
  const save = async () => {
    await client[kind].edit(record.visibleId, { ...body, ...(await sendAddress(before, draft)) });
    toasts.say(t('saved', { name: draft['name'] ?? '' }));
    void queries.invalidateQueries({ queryKey: [kind] });
  };
  return (
    <FormDialog
      title={t('edit_title', { name: record.name })}
      label={t('save')}
      onClose={onClose}
      onSubmit={save}
      call={() => ({
        request: `PUT /${kind}/edit/${record.visibleId}`,
        sdk: `${kind}.edit`,
        ids: [record.visibleId],
        ...sent,
      })}
      isDisabled={isWrong || isEmpty}
    >
      <RecordFields {...{ fields, draft, setDraft, before }} isEdit textOf={(name) => t(name as Key)} />
      <SentChanges isEmpty={isEmpty} />
    </FormDialog>
  );
}
