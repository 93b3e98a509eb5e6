import { isCounterfoilError } from '@counterfoil/sdk';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { errorPage } from '../app/addresses.ts';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  /** Of an error. */
  readonly code?: string;
  readonly requestId?: string | undefined;
}

interface Toasts {
  /** Reports what has been done. It disappears by itself. */
  readonly say: (text: string) => void;
  /** Reports a failure. It stays until it is dismissed. @param about names what failed, if the page does not */
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
        const text = `${about} ${error instanceof Error ? error.message : String(error)}`.trim();
        const known = isCounterfoilError(error) && { code: error.code, requestId: error.requestId };
        add({ text, kind: 'failed', ...known });
      },
    };
  }, []);
  return (
    <ToastsContext value={toasts}>
      {children}
      <div className="toasts" role="region" aria-live="polite" aria-label={t('notifications')}>
        {shown.map(({ id, text, kind, code, requestId }) => (
          <div key={id} className={`toast ${kind}`}>
            <div>
              <bdi>{text}</bdi>
              {code !== undefined && (
                <>
                  {' '}
                  <code>{code}</code> <a href={errorPage(code)}>{t('errorHelp')}</a>
                </>
              )}
              {requestId !== undefined && (
                <p className="quiet-text">
                  {t('errorRequest')} <code>{requestId}</code>
                </p>
              )}
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

export function useToasts(): Toasts {
  const toasts = use(ToastsContext);
  if (!toasts) throw new Error('ToastsProvider is missing');
  return toasts;
}
