import { useBlocker } from '@tanstack/react-router';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { LEAVE } from './leave-messages.ts';

/** Asks before a page is left, closed or reloaded whose changes are not saved. */
export function LeaveGuard({ isChanged }: { readonly isChanged: boolean }) {
  const t = useTexts(LEAVE);
  const leaving = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (leaving.status !== 'blocked') return null;
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.reset()}>
      <Modal className="modal narrow">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">{t('question')}</Heading>
          <p>{t('text')}</p>
          <div className="actions end">
            <Button className="button primary" autoFocus onPress={leaving.reset}>
              {t('stay')}
            </Button>
            <Button className="button danger" onPress={leaving.proceed}>
              {t('leave')}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
