import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button, Dialog, Form, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';
import { FormApiCall } from './api-call.tsx';
import { ErrorNotice } from './error-notice.tsx';
import type { FormCall } from './form-call.ts';
import { type FormChanges, useFormChanges } from './form-changes.ts';
import { LeaveGuard, LeaveQuestion } from './leave-guard.tsx';

interface FormDialogProps {
  readonly title: string;
  /** On the button that submits. */
  readonly label: string;
  readonly size?: 'narrow' | 'medium' | 'wide';
  readonly isDisabled?: boolean;
  /** Whether the call has been made, and the dialog shows its answer: there is nothing to cancel. */
  readonly isDone?: boolean;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** The dialog closes when this is done, unless it resolves to false. An error is shown in the dialog. */
  readonly onSubmit: (form: FormData) => Promise<unknown>;
  /** The call that `onSubmit` makes, with what the form has now. It has no secrets. Left out if it makes none. */
  readonly call?: (form: FormData) => FormCall;
}

/**
 * A form in a dialog. It stays open until the call has succeeded, and asks before it is closed with changes, so that
 * nothing typed is lost. While the call runs it cannot be closed: its error would be shown nowhere.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, label, size = 'wide', isDisabled = false, isDone = false } = props;
  const { children, onClose, onSubmit, call } = props;
  const t = useTexts(SHELL);
  const form = useRef<HTMLFormElement>(null);
  const changes = useFormChanges();
  const [isAsking, setAsking] = useState(false);
  const sending = useMutation({
    mutationFn: onSubmit,
    onSuccess: (result) => {
      changes.restart();
      if (result !== false) onClose();
    },
  });
  const leave = () => {
    if (sending.isPending) return;
    if (changes.isChanged()) setAsking(true);
    else onClose();
  };
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leave()}>
      <Modal className={`modal ${size}`}>
        <Dialog className="dialog">
          <Heading slot="title">{title}</Heading>
          <FocusedForm
            form={form}
            changes={changes}
            onSubmit={(data) => !sending.isPending && !isDisabled && sending.mutate(data)}
          >
            {children}
            {sending.error && <ErrorNotice error={sending.error} />}
            <div className="actions end">
              {call && <FormApiCall call={() => call(new FormData(form.current ?? undefined))} />}
              {!isDone && (
                <Button className="button" onPress={leave} isDisabled={sending.isPending}>
                  {t('cancel')}
                </Button>
              )}
              <Button type="submit" className="button primary" isDisabled={sending.isPending || isDisabled}>
                {sending.isPending ? t('loading') : label}
              </Button>
            </div>
          </FocusedForm>
          <LeaveGuard isChanged={() => !sending.isPending && changes.isChanged()} />
          {isAsking && <LeaveQuestion onStay={() => setAsking(false)} onLeave={onClose} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface FocusedFormProps {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly changes: FormChanges;
  readonly onSubmit: (form: FormData) => void;
  readonly children: ReactNode;
}

/** Begins in its first field. */
function FocusedForm({ form, changes, onSubmit, children }: FocusedFormProps) {
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
    return changes.follow(form.current);
  }, []);
  useEffect(changes.drawn);
  return (
    <Form
      ref={form}
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
    </Form>
  );
}

interface FormButtonProps extends Omit<FormDialogProps, 'label' | 'onClose'> {
  /** On the button that opens the form. */
  readonly label: string;
  /** For screen readers, where several buttons have one label. */
  readonly name?: string;
  /** On the button that submits it. */
  readonly submit: string;
  readonly look?: 'primary' | 'small';
}

/** A button that opens a form. */
export function FormButton({ label, name, submit, look, ...dialog }: FormButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className={look ? `button ${look}` : 'button'}
        aria-label={name ?? label}
        onPress={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && <FormDialog {...dialog} label={submit} onClose={() => setOpen(false)} />}
    </>
  );
}
