import { Counterfoil } from '@counterfoil/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Explained } from '../parts/explained.ts';
import { SERVICE_URL } from './addresses.ts';
import { KeyForm } from './key-form.tsx';
import { useTexts } from './locale.tsx';
import { openSession, useAccount, useSessions } from './session.tsx';
import { SHELL } from './shell-messages.ts';

/**
 * Asks for a key above the page whose session has ended. What is typed there stays: it is for this company alone, and
 * for a role that sees the same forms.
 */
export function SignInAgain() {
  const t = useTexts(SHELL);
  const { signedIn } = useAccount();
  const { replaceBy, leave } = useSessions();
  const queries = useQueryClient();
  const name = signedIn.companyName;
  const attempt = useMutation({
    mutationFn: async (apiKey: string) => {
      const found = await new Counterfoil({ apiKey, baseUrl: SERVICE_URL }).caller.get();
      if (found.companyId !== signedIn.companyId)
        throw new Explained(t('otherCompany', { other: found.companyName, name }));
      if (!signedIn.permissions.every((one) => found.permissions.includes(one)))
        throw new Explained(t('lesserRole'));
      const { session, ...next } = await openSession(apiKey);
      // No page shows them, so they would go on with the session that has ended.
      queries.removeQueries({ type: 'inactive', fetchStatus: 'paused' });
      queries.setQueryData(['caller', session.id], next);
      replaceBy(session);
    },
    meta: { isSignIn: true },
    networkMode: 'always',
  });
  const isOpen = useAfterPopovers();
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} isKeyboardDismissDisabled>
      <Modal className="modal narrow">
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title">{t('signInAgain')}</Heading>
          <p>
            <bdi>{t('typedStays', { name })}</bdi>
          </p>
          <KeyForm attempt={attempt} />
          <div className="actions end">
            <Button className="button danger" onPress={leave}>
              {t('leavePage')}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A menu that is open under a dialog would leave the page inert when the dialog closes, so it is closed before. */
function useAfterPopovers(): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.matches('.popover *, [aria-expanded=true]'))
      activeElement.blur();
    const timer = setTimeout(() => setOpen(true));
    return () => clearTimeout(timer);
  }, []);
  return isOpen;
}
