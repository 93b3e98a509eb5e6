import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';

interface ConfirmProps {
  /** On the button that opens the question. */
  readonly label: string;
  /** For screen readers, where several buttons have one label. */
  readonly name?: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly onConfirm: () => void;
  /** Whether it is the main act of the page, and ends nothing. */
  readonly isMain?: boolean;
  /** Whether the question cannot be opened now. One that is open stays. */
  readonly isDisabled?: boolean;
}

/** Asks before something ends that cannot be brought back. */
export function Confirm(props: ConfirmProps) {
  const { label, name, title, children, onConfirm, isMain, isDisabled = false } = props;
  const t = useTexts(SHELL);
  return (
    <DialogTrigger>
      <Button
        className={isMain ? 'button primary' : 'button small'}
        aria-label={name ?? label}
        isDisabled={isDisabled}
      >
        {label}
      </Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal narrow">
          <Dialog className="dialog" role="alertdialog">
            {({ close }) => (
              <>
                <Heading slot="title">{title}</Heading>
                <div>{children}</div>
                <div className="actions end">
                  <Button className="button" onPress={close}>
                    {t('cancel')}
                  </Button>
                  <Button
                    className={isMain ? 'button primary' : 'button danger'}
                    onPress={() => {
                      close();
                      onConfirm();
                    }}
                  >
                    {label}
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}
