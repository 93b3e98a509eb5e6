import { createContext, use, useEffect } from 'react';

/** Takes the name of the page that is shown, and null when it is left. */
export const PageNameContext = createContext<(name: string | null) => void>(() => undefined);

/** Names the page in the tab and the history of the browser: the record, on a page that shows one. */
export function usePageName(name: string | undefined): void {
  const tell = use(PageNameContext);
  useEffect(() => {
    if (name === undefined) return undefined;
    tell(name);
    return () => tell(null);
  }, [name, tell]);
}
