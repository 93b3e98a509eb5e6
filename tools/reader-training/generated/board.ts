import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import path from 'node:path';
import { FONTS, type Font } from './writers';

export interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  /** Where `x` is in the text. */
  readonly align?: 'start' | 'middle' | 'end';
}

/** A text on a board. `x` is its beginning: the left edge, or in Hebrew the right edge from the right. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly bold: boolean;
}

export interface Rule {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const HEBREW = /[\u0590-\u05ff]/;
const HEBREW_FONTS: readonly Font[] = ['Heebo', 'Frank Ruhl Libre', 'Cousine', 'Rubik', 'Open Sans'];

let registered = false;

function registerFonts(): void {
  if (registered) return;
  registered = true;
  for (const font of FONTS) {
    const name = font.toLowerCase().replaceAll(' ', '-');
    const files = path.dirname(require.resolve(`@fontsource/${name}/package.json`));
    for (const weight of [400, 700]) {
      for (const script of ['latin', 'latin-ext', ...(HEBREW_FONTS.includes(font) ? ['hebrew'] : [])]) {
        const file = path.join(files, 'files', `${name}-${script}-${weight}-normal.woff2`);
        GlobalFonts.registerFromPath(file, `${font} ${script} ${weight}`);
      }
    }
  }
}

/** Returns the value of the canvas property `font`. Letters that a font lacks are drawn in the next one. */
export function fontOf(font: Font, size: number, bold: boolean): string {
  registerFonts();
  const weight = bold ? 700 : 400;
  const own = ['latin', 'latin-ext', 'hebrew'].map((script) => `"${font} ${script} ${weight}"`);
  const spare = ['hebrew', 'latin', 'latin-ext'].map((script) => `"Heebo ${script} ${weight}"`);
  return `${size}px ${[...own, ...spare].join(', ')}`;
}

/**
 * A page on which families place their texts, in points. All families draw from left to right; a Hebrew page
 * is mirrored when it is rendered.
 */
export class Board {
  readonly texts: PlacedText[] = [];
  readonly rules: Rule[] = [];
  private readonly measuring: SKRSContext2D;

  constructor(
    readonly width: number,
    /** The least height. A receipt grows with its texts. */
    readonly least: number,
    readonly font: Font,
    readonly mirrored: boolean,
  ) {
    this.measuring = createCanvas(8, 8).getContext('2d');
  }

  get height(): number {
    return this.texts.reduce((height, { y, size }) => Math.max(height, y + size * 2), this.least);
  }

  measure(text: string, size = 10, bold = false): number {
    this.measuring.font = fontOf(this.font, size, bold);
    return this.measuring.measureText(text).width;
  }

  put(
    text: string,
    x: number,
    y: number,
    { size = 10, bold = false, align = 'start' }: TextStyle = {},
  ): void {
    if (text.trim() === '') return;
    const width = this.measure(text, size, bold);
    const from = { start: x, middle: x - width / 2, end: x - width }[align];
    this.texts.push({ text, x: from, y, width, size, bold });
  }

  rule(x: number, y: number, width: number): void {
    this.rules.push({ x, y, width });
  }

  /** Draws the page on a canvas, with the given number of pixels or points for each point. */
  render(context: SKRSContext2D, scale: number): void {
    context.fillStyle = '#111111';
    context.strokeStyle = '#555555';
    context.textAlign = 'left';
    // Spacing switches ligatures off, which have no letters in the text layer of a PDF.
    context.letterSpacing = '0.01px';
    const left = (x: number, width: number): number => (this.mirrored ? this.width - x - width : x);
    for (const { text, x, y, width, size, bold } of this.texts) {
      context.font = fontOf(this.font, size * scale, bold);
      context.direction = HEBREW.test(text) ? 'rtl' : 'ltr';
      context.fillText(text, left(x, width) * scale, y * scale);
    }
    for (const { x, y, width } of this.rules) {
      context.fillRect(left(x, width) * scale, y * scale, width * scale, Math.max(0.6 * scale, 0.6));
    }
  }
}
