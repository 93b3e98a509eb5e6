import type { ReactNode } from 'react';
import type { Catalogue } from './messages.ts';
import type { Permission } from './session.tsx';

/** A page of the console. Its folder has everything that only it uses; `screens.ts` lists it. */
export interface Screen {
  /** Below `/console`, as TanStack Router writes it: `/vendors/$id`. */
  readonly path: string;
  /** The texts with its `title`. */
  readonly texts: Catalogue<'title'>;
  /** The heading in the navigation; null for a page that others link to. */
  readonly group: 'work' | 'settings' | null;
  /** Roles without the permission do not see the screen. */
  readonly needs: Permission;
  /** Loads its component, which is a file of its own. */
  readonly load: () => Promise<{ readonly Page: () => ReactNode }>;
}
