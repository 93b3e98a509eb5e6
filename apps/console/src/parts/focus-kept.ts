import { type RefObject, useEffect, useRef } from 'react';

/**
 * If what has the focus leaves a table, because its row was scrolled away or its act is done, the table has the focus, so that
 * the keyboard goes on from there. If the table leaves with it, the content of the page has the focus.
 */
export function useFocusKept(box: RefObject<HTMLDivElement | null>): void {
  const focused = useRef<Element>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const note = ({ target }: FocusEvent) => (focused.current = target as Element);
    /** A click on what cannot have the focus names no target either. */
    const forgetGivenUp = () => {
      if (focused.current?.isConnected && document.hasFocus() && hasNoFocus()) focused.current = null;
    };
    const forget = ({ relatedTarget }: FocusEvent) => {
      // An element that is removed, and a window that is left, name no target. A dialog gives the focus back. So neither
      // of them is forgotten.
      if (!(relatedTarget instanceof Element)) requestAnimationFrame(forgetGivenUp);
      else if (!relatedTarget.closest('.modal')) focused.current = null;
    };
    element.addEventListener('focusin', note);
    element.addEventListener('focusout', forget);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', forget);
      const last = focused.current;
      // A dialog that leaves with the table makes the page inert until its own effects have ended.
      requestAnimationFrame(() => {
        if (last?.isConnected === false && hasNoFocus()) focus(document.getElementById('content'));
      });
    };
  }, []);
  // Not in a layout effect: the page is inert until the effects of a dialog that leaves with a row have ended.
  useEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    if (hasNoFocus()) focus(box.current);
    else focused.current = null;
  });
}

const hasNoFocus = (): boolean => document.activeElement === document.body;

const focus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
