import type { Page } from '../page';
import { columnsOf } from './columns';
import { LINES_MAX, pageOf, SPANS_MAX, type TableCell, TextBox } from './text-box';

/** A box with its lines so far: the page itself, or a cell of a table. */
interface OpenBox {
  readonly box: TextBox;
  readonly columns: number;
  /** The current line, in pieces. */
  line: string[];
  /** The current line if white space is preserved. */
  setLine: string;
  /** Height of its largest letters. */
  letterHeight: number;
}

interface OpenTable {
  readonly rows: TableCell[][];
}

type Frame = OpenBox | OpenTable;

/** Maximum depth of nested tables. Deeper tables are read as lines with cells side by side. */
const FRAMES_MAX = 40;
const COLUMNS_MAX = 50;
/** Longer paragraphs are split into lines. */
const LINE_LENGTH_MAX = 10_000;

/** Lays out text like a browser, as far as reading needs it: lines, and tables with cells side by side. */
export class PageLayout {
  private readonly page = openBox(1);
  private readonly frames: Frame[] = [this.page];
  private pieces = 0;

  /** True if the page has reached the maximum that is read. */
  get isFull(): boolean {
    return this.pieces >= SPANS_MAX;
  }

  /** The number of open boxes and tables, for `closeTo`. */
  get depth(): number {
    return this.frames.length;
  }

  /** Adds text to the line. White space collapses to one space. */
  write(text: string, letterHeight: number): void {
    const collapsed = text.replace(/[\s\u200b\ufeff]+/g, ' ');
    if (isTable(this.top) && collapsed.trim() === '') return;
    if (isTable(this.top)) return this.writeCell(collapsed, letterHeight);
    if ((this.top.line.at(-1)?.length ?? 0) > LINE_LENGTH_MAX) this.flush(this.top);
    append(this.top.line, collapsed);
    if (collapsed.trim() !== '') this.top.letterHeight = Math.max(this.top.letterHeight, letterHeight);
  }

  /** Adds text with preserved white space and line breaks. */
  writeSet(text: string, letterHeight: number): void {
    for (const [index, row] of text.split(/\r?\n/, LINES_MAX).entries()) {
      if (index > 0) this.breakLine();
      if (isTable(this.top)) continue;
      this.top.setLine = (this.top.setLine + row).slice(0, LINE_LENGTH_MAX);
      this.top.letterHeight = Math.max(this.top.letterHeight, letterHeight);
    }
  }

  /** Adds a gap before the next text of the line. An amount stays joined to its currency sign. */
  gap(): void {
    if (isTable(this.top)) return;
    const isSign = /^\p{Sc}$/u.test(this.top.line.at(-1)?.trim() ?? '');
    if (!isSign) this.top.line.push('');
  }

  breakLine(): void {
    if (!isTable(this.top)) this.flush(this.top);
  }

  openTable(): void {
    this.breakLine();
    if (this.frames.length < FRAMES_MAX && !isTable(this.top)) this.frames.push({ rows: [] });
  }

  openRow(): void {
    if (isTable(this.top)) this.top.rows.push([]);
    else this.breakLine();
  }

  openCell(columns: number): void {
    if (!isTable(this.top)) return this.gap();
    if (this.top.rows.length === 0) this.top.rows.push([]);
    const whole = Number.isInteger(columns) ? columns : 1;
    this.frames.push(openBox(Math.min(Math.max(whole, 1), COLUMNS_MAX)));
  }

  /** Closes all elements beyond this depth. */
  closeTo(depth: number): void {
    while (this.frames.length > Math.max(depth, 1)) this.close();
  }

  /** @param fromTheRight the declared direction of the document; if undefined, the letters decide */
  finish(fromTheRight: boolean | undefined): Page {
    this.closeTo(1);
    this.flush(this.page);
    return pageOf(this.page.box, fromTheRight);
  }

  private get top(): Frame {
    return this.frames.at(-1) ?? this.page;
  }

  private writeCell(text: string, letterHeight: number): void {
    const { depth } = this;
    this.openCell(1);
    this.write(text, letterHeight);
    this.closeTo(depth);
  }

  private close(): void {
    const closed = this.frames.pop();
    const { top } = this;
    if (closed === undefined) return;
    if (isTable(closed)) {
      if (!isTable(top)) top.box.addTable(closed.rows);
      return;
    }
    this.flush(closed);
    if (isTable(top)) top.rows.at(-1)?.push(closed);
  }

  private flush(open: OpenBox): void {
    const running = open.line.map((text) => ({ text: text.trim() })).filter(({ text }) => text !== '');
    const pieces = [...columnsOf(open.setLine), ...running];
    if (pieces.length > 0 && !this.isFull) open.box.addLine(pieces, open.letterHeight || 1);
    this.pieces += pieces.length;
    open.line = [];
    open.setLine = '';
    open.letterHeight = 0;
  }
}

function openBox(columns: number): OpenBox {
  return { box: new TextBox(), columns, line: [], setLine: '', letterHeight: 0 };
}

function isTable(frame: Frame): frame is OpenTable {
  return 'rows' in frame;
}

function append(line: string[], text: string): void {
  const before = line.pop() ?? '';
  line.push(before + (before === '' || before.endsWith(' ') ? text.trimStart() : text));
}
