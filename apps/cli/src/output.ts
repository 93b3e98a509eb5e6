import { styleText } from 'node:util';
import type { Failure } from './failure';
import { type Progress, startProgress } from './progress';
import { type Column, tableLines, widthsOf } from './table';
import { printable } from './printable';
import type { TextStream } from './text-stream';

export type Style = Parameters<typeof styleText>[0];

/** Rows of which the widths of the columns are calculated together. */
const ROWS_AT_ONCE = 200;

/**
 * Prints results to standard output, and everything else to standard error. With `--json` each result, and each row of
 * a list, is one line of JSON.
 */
export class Output {
  constructor(
    private readonly stdout: TextStream,
    private readonly stderr: TextStream,
    private readonly wantsJson: () => boolean,
  ) {}

  get json(): boolean {
    return this.wantsJson();
  }

  /** Prints one result: the value as JSON, or the text for people, which may have several lines. */
  print(value: unknown, text: string): void {
    this.stdout.write(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Prints bytes that belong to another program, unchanged in both modes. */
  raw(text: string): void {
    this.stdout.write(text);
  }

  /** Prints the rows of a list as they come. */
  async list<Row>(rows: AsyncIterable<Row> | Iterable<Row>, columns: readonly Column<Row>[]): Promise<void> {
    let [widths, batch]: [number[], Row[]] = [[], []];
    const flush = () => {
      const isFirst = widths.length === 0;
      widths = widthsOf(columns, batch, widths);
      const [header = '', ...lines] = tableLines(columns, batch, widths);
      if (isFirst) this.stdout.write(`${this.styled('bold', header)}\n`);
      for (const line of lines) this.stdout.write(`${line}\n`);
      batch = [];
    };
    for await (const row of rows) {
      if (this.json) this.stdout.write(`${JSON.stringify(row)}\n`);
      else if (batch.push(row) === ROWS_AT_ONCE) flush();
    }
    if (batch.length > 0) flush();
    else if (!this.json && widths.length === 0) this.note('nothing found');
  }

  /** Prints a line for the person, beside the results. */
  note(text: string): void {
    this.stderr.write(`${text}\n`);
  }

  /** Shows a bar on a terminal, and nothing elsewhere. */
  progress(label: string, total: number): Progress {
    return startProgress(this.stderr, { label, total, hidden: this.json });
  }

  /** Colours text for standard output, if that is a terminal with colours. */
  styled(style: Style, text: string): string {
    return coloured(this.stdout, style, text);
  }

  fail({ message, fields, exitCode, code, status, requestId }: Failure): void {
    if (this.json) {
      this.stderr.write(
        `${JSON.stringify({ error: { message, code, status, requestId, fields, exitCode } })}\n`,
      );
      return;
    }
    const prefix = coloured(this.stderr, 'red', 'error:');
    this.note(`${prefix} ${printable(message)}${code === undefined ? '' : ` (${code})`}`);
    const isSaid = fields.length === 1 && message === `${fields[0]?.field} ${fields[0]?.problem}`;
    for (const { field, problem } of isSaid ? [] : fields)
      this.note(`  ${printable(field)}: ${printable(problem)}`);
    if (requestId !== undefined) this.note(`  request ${printable(requestId)}`);
  }
}

/** The stream decides. Newer versions of Node would ask standard output instead. */
function coloured(stream: TextStream, style: Style, text: string): string {
  return stream.hasColors?.() ? styleText(style, text, { validateStream: false }) : text;
}
