import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { CodeSample } from '../../parts/code-sample.tsx';
import { WEBHOOKS } from './texts.ts';

interface SecretDialogProps {
  /** Null shows nothing. */
  readonly secret: string | null;
  readonly onClose: () => void;
}

/** Shows a secret until the reader says that it is stored: no click beside it and no Escape closes it. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const t = useTexts(WEBHOOKS);
  return (
    <ModalOverlay className="overlay" isOpen={secret !== null} isKeyboardDismissDisabled>
      <Modal className="modal medium">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">{t('secretTitle')}</Heading>
          <p className="note">{t('secretOnce')}</p>
          <CodeSample title={t('secretTitle')} text={secret ?? ''} />
          <div className="actions end">
            <Button className="button primary" autoFocus onPress={onClose}>
              {t('secretStored')}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
