import { breakable, directionOf, printableLine, printableLines } from '../../domain/printable-text';
import type { Labelled, PageText } from './page-content';

/** Makes texts of strangers safe to print. */
export class PageTexts {
  /** @param withGlyphs replaces what the fonts cannot show */
  constructor(private readonly withGlyphs: (text: string) => string) {}

  line(text: string): PageText {
    return this.shown(printableLine(text));
  }

  /** @param max further lines are joined to the last one */
  lines(text: string, max = Infinity): PageText[] {
    const lines = printableLines(text);
    const joined = lines.length > max ? [...lines.slice(0, max - 1), lines.slice(max - 1).join(' ')] : lines;
    return joined.map((line) => this.shown(line));
  }

  /** Leaves out what is null or empty. */
  present(texts: readonly (string | null)[]): PageText[] {
    return texts.flatMap((text) => (text === null || text === '' ? [] : this.lines(text)));
  }

  /** Leaves out the entries without a value. */
  labelled(entries: readonly (readonly [string, string | PageText | null])[]): Labelled[] {
    return entries.flatMap(([label, value]) =>
      value === null || value === ''
        ? []
        : [{ label: this.line(label), value: typeof value === 'string' ? this.line(value) : value }],
    );
  }

  private shown(line: string): PageText {
    const text = this.withGlyphs(line);
    return { text, dir: directionOf(text), ...breakable(text) };
  }
}
