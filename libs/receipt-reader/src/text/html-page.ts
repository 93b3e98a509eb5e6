import { Parser } from 'htmlparser2';
import type { Page } from '../page';
import { PageLayout } from './page-layout';
import { SimpleStyles } from './simple-styles';

/** No page that a person made is nested this deep. Reading stops there. */
const DEPTH_MAX = 2_000;
/**
 * The parser gets the page in chunks of this size, which limits the work between two checks of the limits.
 */
const CHUNK_CHARACTERS = 16 * 1024;
const UNSEEN = new Set(
  'audio canvas datalist head iframe math noscript object option script style svg template title video'.split(
    ' ',
  ),
);
const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data dfn em font i img input ins kbd label mark nobr q s samp small span ' +
    'strike strong sub sup time tt u var wbr'
  ).split(' '),
);
/** Letter height relative to ordinary text. */
const HEIGHTS: Readonly<Record<string, number>> = { h1: 2, h2: 1.5, h3: 1.2, small: 0.8 };
const TABLE_PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th']);
/**
 * Elements that join their neighbours. Other inline elements are separated from their neighbours by a gap.
 */
const RAISED = new Set(['sup', 'sub']);
const COMMON_FONT_PX = 14;
const HEIGHT_MIN = 0.5;
const HEIGHT_MAX = 3;

type Attributes = Readonly<Record<string, string>>;

interface OpenElement {
  readonly name: string;
  readonly isHidden: boolean;
  /** True if its children are the cells of a row. */
  readonly isRow: boolean;
  /** True if white space is preserved, as in `<pre>`. */
  readonly isSet: boolean;
  readonly letterHeight: number;
  /** The number of open boxes before it. */
  readonly depth: number;
}

const ROOT: OpenElement = {
  name: '',
  isHidden: false,
  isRow: false,
  isSet: false,
  letterHeight: 1,
  depth: 1,
};

/** Returns the text that a browser would show, in lines and cells. It never fails, whatever the markup is. */
export function htmlPage(html: string): Page {
  const reader = new HtmlReader();
  return reader.read(html);
}

class HtmlReader {
  private readonly layout = new PageLayout();
  private readonly styles = new SimpleStyles();
  private readonly open: OpenElement[] = [];
  private fromTheRight: boolean | undefined;
  private sheet = '';
  /** True if an inline element was closed and nothing has been written since. */
  private hasJustClosed = false;

  read(html: string): Page {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => this.onOpen(name, attributes),
        ontext: (text) => this.onText(text),
        onclosetag: (name) => this.onClose(name),
      },
      { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
    );
    for (let from = 0; from < html.length && !this.isEnough; from += CHUNK_CHARACTERS)
      parser.write(html.slice(from, from + CHUNK_CHARACTERS));
    if (!this.isEnough) parser.end();
    return this.layout.finish(this.fromTheRight);
  }

  private get isEnough(): boolean {
    return this.layout.isFull || this.open.length > DEPTH_MAX;
  }

  private get parent(): OpenElement {
    return this.open.at(-1) ?? ROOT;
  }

  private onOpen(name: string, attributes: Attributes): void {
    const { parent } = this;
    const shown = this.styles.shown(name, attributes);
    const isHidden = parent.isHidden || shown.isHidden || UNSEEN.has(name);
    if (name === 'html' || name === 'body') this.noteDirection(attributes);
    this.open.push({
      name,
      isHidden,
      isRow: shown.isRow && !TABLE_PARTS.has(name),
      isSet: parent.isSet || name === 'pre' || /white-space\s*:\s*pre/i.test(attributes['style'] ?? ''),
      letterHeight: letterHeight(name, attributes, parent.letterHeight),
      depth: this.layout.depth,
    });
    if (!isHidden) this.begin(name, attributes, parent);
  }

  private begin(name: string, attributes: Attributes, parent: OpenElement): void {
    const { isRow } = this.parent;
    if (parent.isRow) this.layout.openCell(1);
    if (name === 'table') this.layout.openTable();
    else if (name === 'tr') this.layout.openRow();
    else if (name === 'td' || name === 'th') this.layout.openCell(Number(attributes['colspan'] ?? 1));
    else if (!INLINE.has(name)) this.layout.breakLine();
    else if (this.hasJustClosed && !RAISED.has(name)) this.layout.gap();
    if (isRow) this.layout.openTable();
    this.hasJustClosed = false;
  }

  private onText(text: string): void {
    const { name, isHidden, isSet, letterHeight: height } = this.parent;
    if (name === 'style') this.sheet += text;
    if (isHidden) return;
    if (isSet) this.layout.writeSet(text, height);
    else this.layout.write(text, height);
    this.hasJustClosed = false;
  }

  private onClose(name: string): void {
    const element = this.open.pop();
    if (name === 'style') {
      this.styles.add(this.sheet);
      this.sheet = '';
    }
    if (!element || element.isHidden) return;
    const isBlock = !INLINE.has(name) && name !== 'td' && name !== 'th';
    if (isBlock) this.layout.breakLine();
    this.layout.closeTo(element.depth);
    this.hasJustClosed = INLINE.has(name);
  }

  private noteDirection(attributes: Attributes): void {
    const direction = attributes['dir'] ?? /direction\s*:\s*(rtl|ltr)/i.exec(attributes['style'] ?? '')?.[1];
    if (direction !== undefined) this.fromTheRight = direction.toLowerCase() === 'rtl';
  }
}

function letterHeight(name: string, attributes: Attributes, inherited: number): number {
  const [, size, unit] = /font-size\s*:\s*([\d.]{1,6})(px|pt|em|rem)/i.exec(attributes['style'] ?? '') ?? [];
  if (size === undefined) return HEIGHTS[name] ?? inherited;
  const asPx =
    { px: 1, pt: 4 / 3, em: COMMON_FONT_PX, rem: COMMON_FONT_PX }[unit?.toLowerCase() ?? 'px'] ?? 1;
  const height = (Number(size) * asPx) / COMMON_FONT_PX;
  return Math.min(Math.max(height || 1, HEIGHT_MIN), HEIGHT_MAX);
}
