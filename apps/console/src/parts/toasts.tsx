import { isCounterfoilError } from '@counterfoil/sdk';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { errorPage } from '../app/addresses.ts';
import { useTexts } from '../app/locale.tsx';
import { isSessionEnd } from '../app/session-end.ts';
import { SHELL } from '../app/shell-messages.ts';
import { ErrorText, useErrorTitle } from './error-notice.tsx';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  readonly error?: unknown;
}

interface Toasts {
  /** Reports what has been done. It disappears by itself. */
  readonly say: (text: string) => void;
  /**
   * Reports a failure. It stays until it is dismissed. The end of a session is reported only with what it has stopped.
   *
   * @param about names what failed, if the page does not
   */
  readonly fail: (error: unknown, about?: string) => void;
}

const SHOWN_MS = 6_000;
const ToastsContext = createContext<Toasts | null>(null);
let lastId = 0;

export function ToastsProvider({ children }: { readonly children: ReactNode }) {
  const t = useTexts(SHELL);
  const [shown, setShown] = useState<readonly Toast[]>([]);
  const toasts = useMemo((): Toasts => {
    const add = (toast: Omit<Toast, 'id'>) => {
      const id = (lastId += 1);
      setShown((others) => [...others, { id, ...toast }]);
      if (toast.kind === 'done')
        setTimeout(() => setShown((all) => all.filter((one) => one.id !== id)), SHOWN_MS);
    };
    return {
      say: (text) => add({ text, kind: 'done' }),
      fail: (error, about = '') => {
        if (about !== '' || !isSessionEnd(error)) add({ text: about, kind: 'failed', error });
      },
    };
  }, []);
  return (
    <ToastsContext value={toasts}>
      {children}
      <div className="toasts" role="region" aria-live="polite" aria-label={t('notifications')}>
        {shown.map(({ id, text, kind, error }) => (
          <div key={id} className={`toast ${kind}`}>
            <div>
              <bdi>{text}</bdi> {kind === 'failed' && <Failure error={error} />}
            </div>
            <Button
              className="button quiet"
              aria-label={t('dismiss')}
              onPress={() => setShown((all) => all.filter((one) => one.id !== id))}
            >
              <Icon name="close" />
            </Button>
          </div>
        ))}
      </div>
    </ToastsContext>
  );
}

function Failure({ error }: { readonly error: unknown }) {
  const t = useTexts(SHELL);
  const title = useErrorTitle(error);
  const known = isCounterfoilError(error) ? error : null;
  return (
    <>
      {title !== null && `${title}. `}
      <ErrorText error={error} />
      {known && (
        <p>
          <code>{known.code}</code> <a href={errorPage(known.code)}>{t('errorHelp')}</a>
        </p>
      )}
      {known?.requestId !== undefined && (
        <p className="quiet-text">
          {t('errorRequest')} <code>{known.requestId}</code>
        </p>
      )}
    </>
  );
}

export function useToasts(): Toasts {
  const toasts = use(ToastsContext);
  if (!toasts) throw new Error('ToastsProvider is missing');
  return toasts;
}
