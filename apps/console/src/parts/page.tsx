import type { ReactNode } from 'react';
import { usePageName } from '../app/page-name.ts';

interface PageProps {
  readonly title: ReactNode;
  /** In the tab of the browser, if the title is not a text. */
  readonly name?: string;
  readonly text?: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The heading of a screen, and its content. */
export function PageFrame({ title, name, text, actions, children }: PageProps) {
  usePageName(name ?? (typeof title === 'string' ? title : undefined));
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {text !== undefined && <p>{text}</p>}
        </div>
        <div className="actions">{actions}</div>
      </header>
      {children}
    </>
  );
}

/** Says what is not there yet, and what to do first. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
