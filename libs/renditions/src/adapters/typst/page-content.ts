import type { Direction } from '../../domain/printable-text';

/** A line of text, with the direction that it has by itself. */
export interface PageText {
  readonly text: string;
  readonly dir: Direction;
  /** Only of a text with a word that may be too long for its line: that word, and the text to show if it is, between whose pieces lines may break. */
  readonly longestWord?: string;
  readonly pieces?: readonly string[];
}

export interface Labelled {
  readonly label: PageText;
  readonly value: PageText;
}

export interface PageParty {
  readonly name: PageText;
  readonly lines: readonly PageText[];
  readonly labelled: readonly Labelled[];
}

export interface PageTable {
  readonly heading: string;
  readonly columns: readonly string[];
  /** The first cell of a row has lines of text; all others are figures. */
  readonly rows: readonly (readonly [readonly PageText[], ...string[]])[];
}

export interface PageTotal {
  readonly label: string;
  readonly value: string;
  /** Bold and underlined. */
  readonly isSum: boolean;
}

export interface ItemRow {
  readonly description: readonly PageText[];
  readonly figures: readonly string[];
  /** The sum of the lines up to this one. */
  readonly sum: string;
}

/** The data of `document.typ`: all texts and figures as they are shown. */
export interface PageContent {
  readonly lang: string;
  readonly dir: Direction;
  /** `#rrggbb` */
  readonly accent: string;
  readonly title: string;
  /** In a box beside the title. */
  readonly stamp: string | null;
  /** In a red box above the title. */
  readonly warnings: readonly PageText[];
  /** Across each page, faintly. */
  readonly watermark: string | null;
  /** Across each page, in a red box. */
  readonly cancelledStamp: string | null;
  /** The file name of the image. */
  readonly logo: string | null;
  /** The file name of the e-invoice, which is attached under this name. */
  readonly eInvoice: string | null;
  readonly issuer: PageParty;
  /** In the head of each further page, beside the name. Empty if the issuer has none. */
  readonly issuerTaxId: readonly Labelled[];
  readonly recipient: PageParty & { readonly heading: string };
  readonly details: readonly Labelled[];
  readonly items: { readonly columns: readonly string[]; readonly rows: readonly ItemRow[] } | null;
  readonly carriedForward: string;
  /** A small table beside the totals. */
  readonly beside: PageTable | null;
  readonly totals: readonly PageTotal[];
  readonly tables: readonly PageTable[];
  readonly notes: { readonly heading: string; readonly lines: readonly PageText[] } | null;
  readonly bank: { readonly heading: string; readonly accounts: readonly Labelled[] } | null;
  readonly footer: readonly PageText[];
  readonly page: string;
  readonly of: string;
  /** Stands between the languages of a label. */
  readonly between: string;
}
