import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import { Summary } from '../summary.tsx';
import { type Document, isCancellable, isCoverable, isCreditable, isPayable } from '../types.ts';
import { SendDialog } from './send.tsx';
import { ShareDialog } from './share.tsx';
import { RECORD } from './texts.ts';

/** The acts that the state of a document allows. The service decides in the end. */
export function Acts({ document }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null);
  const { visibleId, type, isOpen, cancelled } = document;
  const close = () => setOpened(null);
  const from = (act: string, text: string, isMain = false) => (
    <Link
      to="/documents/new"
      search={{ from: visibleId, act }}
      className={isMain ? 'button primary' : 'button'}
    >
      {text}
    </Link>
  );
  const isOwn = type !== 'SUPPLIER_INVOICE';
  return (
    <>
      {isOwn && (
        <>
          <Button className="button" onPress={() => setOpened('send')}>
            {t('send')}
          </Button>
          <Button className="button" onPress={() => setOpened('share')}>
            {t('share')}
          </Button>
        </>
      )}
      {isOpen && isOwn && <CloseDocument document={document} />}
      {isCancellable(type) && !cancelled && (
        <Button className="button" onPress={() => setOpened('cancel')}>
          {t('cancelDocument')}
        </Button>
      )}
      {isCreditable(type) && from('credit', t('credit'))}
      {isOpen && isCoverable(type) && from('cover', t('replace'))}
      {isOpen && isPayable(type) && from('pay', t('receipt'), true)}
      {opened && <OpenedDialog opened={opened} document={document} onClose={close} />}
    </>
  );
}

interface OpenedDialogProps extends DialogProps {
  readonly opened: keyof typeof DIALOGS;
}

function OpenedDialog({ opened, ...rest }: OpenedDialogProps) {
  const Shown = DIALOGS[opened];
  return <Shown {...rest} />;
}

function CloseDocument({ document }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const closing = useMutation({
    mutationFn: () => client.documents.close(document.visibleId),
    onSuccess: () => toasts.say(t('closed')),
    onError: (error) => toasts.fail(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['documents'] }),
  });
  return (
    <Confirm label={t('close')} title={t('closeQuestion')} onConfirm={() => closing.mutate()}>
      <Summary of={document} />
      <p>{t('closeText')}</p>
    </Confirm>
  );
}

interface DialogProps {
  readonly document: Document;
  readonly onClose: () => void;
}

function CancelDocument({ document, onClose }: DialogProps) {
  const t = useTexts(RECORD);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [reason, setReason] = useState('');
  const { visibleId } = document;
  const body = { reason: reason.trim() };
  const cancel = async () => {
    await client.documents.cancel(visibleId, body);
    toasts.say(t('cancelled'));
    void queries.invalidateQueries({ queryKey: ['documents'] });
  };
  return (
    <FormDialog
      title={t('cancelDocument')}
      label={t('cancelDocument')}
      size="narrow"
      onClose={onClose}
      onSubmit={cancel}
      call={() => ({
        request: `POST /documents/cancel/${visibleId}`,
        sdk: 'documents.cancel',
        ids: [visibleId],
        body,
      })}
      isDisabled={reason.trim() === ''}
    >
      <Summary of={document} />
      <p>{t('cancelText')}</p>
      <TextInput label={t('reason')} value={reason} onChange={setReason} maxLength={500} />
    </FormDialog>
  );
}

const DIALOGS = { cancel: CancelDocument, send: SendDialog, share: ShareDialog };
