import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import type { Document } from '../types.ts';
import { type Stamp, StampChoice } from './stamp-choice.tsx';
import { RECORD } from './texts.ts';

interface SendDialogProps {
  readonly document: Document;
  readonly onClose: () => void;
}

/** Sends the document by e-mail, at first to the address of its client. */
export function SendDialog({ document, onClose }: SendDialogProps) {
  const t = useTexts(RECORD);
  const { client } = useAccount();
  const toasts = useToasts();
  const sendOnce = useSendOnce();
  /** Null while nothing has been typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const [stamp, setStamp] = useState<Stamp | null>(null);
  const { visibleId } = document.entity;
  const address = useQuery({
    queryKey: ['documents', 'address', visibleId],
    queryFn: async () => (await client.clients.get(visibleId)).email,
    retry: false,
  });
  const to = typed ?? address.data ?? '';
  const recipients = to.split(/[,;\s]+/).filter((one) => one !== '');
  const body = { to: recipients, stamp, ...(message.trim() !== '' && { message: message.trim() }) };
  const { visibleId: id } = document;
  const send = async () => {
    const { mails, stamp: chosen } = await sendOnce(body, (options) =>
      client.documents.send(id, body, options),
    );
    toasts.say(t('queued', { count: mails.length, stamp: t(chosen) }));
  };
  return (
    <FormDialog
      title={t('send')}
      label={t('send')}
      onClose={onClose}
      onSubmit={send}
      call={() => ({ request: `POST /documents/id/${id}/send`, sdk: 'documents.send', ids: [id], body })}
      isDisabled={recipients.length === 0}
    >
      <TextInput label={t('to')} kind="email" value={to} onChange={setTyped} help={t('toHelp')} />
      <StampChoice value={stamp} onChange={setStamp} />
      <TextInput label={t('message')} kind="long" value={message} onChange={setMessage} maxLength={5000} />
    </FormDialog>
  );
}
