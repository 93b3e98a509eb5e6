import { useRef } from 'react';

export interface FormChanges {
  /** Whether the fields show something else than when the user first touched the form. */
  readonly isChanged: () => boolean;
  /** Follows a form. Returns what ends it. */
  readonly follow: (form: HTMLFormElement | null) => () => void;
  /** Called whenever the form is drawn. */
  readonly drawn: () => void;
  /** Takes what the form shows next for its beginning: it has been sent. */
  readonly restart: () => void;
}

const TOUCHES = ['keydown', 'pointerdown', 'input'] as const;

/** Compares the fields of a form with their beginning. Values that arrive before the form is touched belong to it. */
export function useFormChanges(): FormChanges {
  const form = useRef<HTMLFormElement>(null);
  const before = useRef('');
  const isTouched = useRef(false);
  return {
    isChanged: () => isTouched.current && valuesOf(form.current) !== before.current,
    follow: (element) => {
      form.current = element;
      const touch = () => (isTouched.current = true);
      TOUCHES.forEach((type) => element?.addEventListener(type, touch, true));
      return () => TOUCHES.forEach((type) => element?.removeEventListener(type, touch, true));
    },
    drawn: () => {
      if (!isTouched.current) before.current = valuesOf(form.current);
    },
    restart: () => (isTouched.current = false),
  };
}

const valuesOf = (form: HTMLFormElement | null): string =>
  JSON.stringify(Array.from(form?.elements ?? [], valueOf).filter((value) => value !== null));

function valueOf(element: Element): string | boolean | null {
  if (element instanceof HTMLInputElement && element.type === 'checkbox') return element.checked;
  const isField = ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName);
  return isField ? (element as HTMLInputElement).value : null;
}
