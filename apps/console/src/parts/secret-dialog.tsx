import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { PARTS } from './books-messages.ts';
import { CodeSample } from './code-sample.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** Where the reader should store it. */
  readonly note: string;
  /** Null shows nothing. */
  readonly secret: string | null;
  readonly onClose: () => void;
}

/** Shows a secret until the reader says that it is stored: no click beside it and no Escape closes it. */
export function SecretDialog({ title, note, secret, onClose }: SecretDialogProps) {
  const t = useTexts(PARTS);
  return (
    <ModalOverlay className="overlay" isOpen={secret !== null} isKeyboardDismissDisabled>
      <Modal className="modal medium">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">{title}</Heading>
          <p className="note">{note}</p>
          <CodeSample title={title} text={secret ?? ''} />
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
