import { useMemo } from 'react';
import { useLocale } from 'react-aria-components';

/** Writes a time with its seconds: attempts follow each other quickly. */
export function useExactTime(): (iso: string) => string {
  const { locale } = useLocale();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
    return (iso) => format.format(new Date(iso));
  }, [locale]);
}
