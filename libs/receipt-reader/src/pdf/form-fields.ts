import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { hasRightToLeft } from '../text/logical-order';
import type { TextItem } from './text-pieces';

const FIELDS_MAX = 2_000;
const LENGTH_MAX = 500;
const LETTER_HEIGHT_MAX = 12;
/** Approximate width of a letter, as a share of its height. */
const LETTER_WIDTH = 0.5;
/** Distance from the lower edge of a field to its baseline, as a share of the letter height. */
const BASELINE = 0.3;

interface Annotation {
  readonly subtype?: string;
  /** `Tx` is a text field. Choices and buttons have other types. */
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: string };
  readonly rect?: readonly number[];
  readonly hidden?: boolean;
}

/**
 * Returns text that was filled into form fields or typed onto the page. pdfjs does not include it in the text
 * of the page.
 */
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
        // Field values are in logical order.
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
