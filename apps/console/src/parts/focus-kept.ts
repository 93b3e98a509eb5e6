import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * If what has the focus leaves a table, because its row was scrolled away or its act is done, the table has the focus, so that
 * the keyboard goes on from there.
 */
export function useFocusKept(box: RefObject<HTMLDivElement | null>): void {
  const focused = useRef<Element>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const note = ({ target }: FocusEvent) => (focused.current = target as Element);
    // A dialog that was opened in the table gives the focus back.
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && !relatedTarget.closest('.modal')) focused.current = null;
    };
    element.addEventListener('focusin', note);
    element.addEventListener('focusout', forget);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', forget);
    };
  }, []);
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  });
}
