import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { LEAVE } from './leave-messages.ts';
import { guard } from './unsaved.ts';

/** Asks before a page is left, closed or reloaded, or its company is left, while changes are not saved. */
export function LeaveGuard({ isChanged }: { readonly isChanged: () => boolean }) {
  const latest = useRef(isChanged);
  latest.current = isChanged;
  const [asked, setAsked] = useState<{ readonly act: () => void }>();
  useEffect(() => guard({ isChanged: () => latest.current(), ask: (act) => setAsked({ act }) }), []);
  const leaving = useBlocker({
    shouldBlockFn: isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (leaving.status === 'blocked') return <LeaveQuestion onStay={leaving.reset} onLeave={leaving.proceed} />;
  if (!asked) return null;
  const stay = () => setAsked(undefined);
  return (
    <LeaveQuestion
      onStay={stay}
      onLeave={() => {
        stay();
        asked.act();
      }}
    />
  );
}

interface LeaveQuestionProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const t = useTexts(LEAVE);
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onStay()}>
      <Modal className="modal narrow">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">{t('question')}</Heading>
          <p>{t('text')}</p>
          <div className="actions end">
            <Button className="button primary" autoFocus onPress={onStay}>
              {t('stay')}
            </Button>
            <Button className="button danger" onPress={onLeave}>
              {t('leave')}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
