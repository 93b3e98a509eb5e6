import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { hasRightToLeft } from '../text/logical-order';
import type { TextItem } from './text-pieces';

const FIELDS_MAX = 2_000;
const LENGTH_MAX = 500;
const LETTER_HEIGHT_MAX = 12;
/** Of the height of a letter: how wide one is, about. */
const LETTER_WIDTH = 0.5;
/** The distance from the lower edge of a field to the baseline of its text, in shares of the letters' height. */
const BASELINE = 0.3;

interface Annotation {
  readonly subtype?: string;
  /** `Tx` is text; choices and buttons have others. */
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: string };
  readonly rect?: readonly number[];
  readonly hidden?: boolean;
}

/** Text that was filled into the form of a page, or typed on it: pdfjs does not count it as the page's text. */
export async function filledIn(page: PDFPageProxy): Promise<TextItem[]> {
  const annotations = (await page.getAnnotations({ intent: 'display' })) as Annotation[];
  return annotations.slice(0, FIELDS_MAX).flatMap((annotation) => {
    const [left = 0, bottom = 0, , top = 0] = annotation.rect ?? [];
    const str = valueOf(annotation);
    if (str === '' || annotation.hidden) return [];
    const height = Math.min(Math.abs(top - bottom), LETTER_HEIGHT_MAX);
    const baseline = (top + bottom) / 2 - BASELINE * height;
    return [
      {
        str,
        // The text is in logical order, as typed.
        dir: hasRightToLeft(str) ? 'rtl' : 'ltr',
        transform: [height, 0, 0, height, left, baseline] as const,
        width: str.length * height * LETTER_WIDTH,
        height,
      },
    ];
  });
}

function valueOf({ subtype, fieldType, fieldValue, contentsObj }: Annotation): string {
  const isField = subtype === 'Widget' && fieldType === 'Tx' && typeof fieldValue === 'string';
  const text = isField ? fieldValue : subtype === 'FreeText' ? (contentsObj?.str ?? '') : '';
  return text.replace(/\s+/g, ' ').trim().slice(0, LENGTH_MAX);
}
