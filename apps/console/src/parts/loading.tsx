import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';

/** Shown only if it takes a while, see the class `loading`. */
export function Loading() {
  const t = useTexts(SHELL);
  return (
    <p className="loading" role="status">
      {t('loading')}
    </p>
  );
}
