import type { Kind } from '../facts';
import type { Sheet } from '../parts';

export type Form = 'pdf' | 'text' | 'html' | 'image' | 'scan';

/** A layout: where a document has its parts. */
export interface Family {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly forms: readonly Form[];
  /** In points. */
  readonly width: number;
  readonly height: number;
  draw(sheet: Sheet): void;
}

export const A4 = { width: 595, height: 842 } as const;
export const INVOICES: readonly Kind[] = ['invoice', 'invoice', 'invoice', 'credit'];
export const ANY_FORM: readonly Form[] = ['pdf', 'pdf', 'pdf', 'pdf', 'scan', 'image', 'text', 'html'];
