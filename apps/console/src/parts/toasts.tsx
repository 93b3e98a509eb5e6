import { isCounterfoilError } from '@counterfoil/sdk';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
}

interface Toasts {
  /** Reports what has been done. It disappears by itself. */
  readonly say: (text: string) => void;
  /** Reports a failure. It stays until it is dismissed. */
  readonly fail: (error: unknown) => void;
}

const SHOWN_MS = 6_000;
const ToastsContext = createContext<Toasts | null>(null);
let lastId = 0;

export function ToastsProvider({ children }: { readonly children: ReactNode }) {
  const t = useTexts(SHELL);
  const [shown, setShown] = useState<readonly Toast[]>([]);
  const toasts = useMemo((): Toasts => {
    const add = (text: string, kind: Toast['kind']) => {
      const id = (lastId += 1);
      setShown((others) => [...others, { id, text, kind }]);
      if (kind === 'done') setTimeout(() => setShown((all) => all.filter((one) => one.id !== id)), SHOWN_MS);
    };
    return {
      say: (text) => add(text, 'done'),
      fail: (error) => {
        const text = error instanceof Error ? error.message : String(error);
        add(
          isCounterfoilError(error) ? `${text} (${error.code}, ${error.requestId ?? '—'})` : text,
          'failed',
        );
      },
    };
  }, []);
  return (
    <ToastsContext value={toasts}>
      {children}
      <div className="toasts" role="region" aria-live="polite" aria-label={t('notifications')}>
        {shown.map(({ id, text, kind }) => (
          <div key={id} className={`toast ${kind}`}>
            <bdi>{text}</bdi>
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
