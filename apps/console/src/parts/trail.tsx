import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../app/locale.tsx';
import { TRAIL } from './trail-messages.ts';

interface Step {
  readonly to: string;
  readonly text: ReactNode;
}

/** Leads back to the pages above this one. */
export function Trail({ steps }: { readonly steps: readonly Step[] }) {
  const t = useTexts(TRAIL);
  return (
    <nav className="trail" aria-label={t('above')}>
      <ol>
        {steps.map(({ to, text }) => (
          <li key={to}>
            <Link to={to}>{text}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
