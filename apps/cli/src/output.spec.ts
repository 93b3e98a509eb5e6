import { failureOf } from './failure';
import { Output } from './output';
import { startProgress } from './progress';
import type { Column } from './table';

function written(options: { json?: boolean; colours?: boolean; terminal?: boolean } = {}) {
  const texts = { out: '', err: '' };
  const terminal = { isTTY: options.terminal === true, hasColors: () => options.colours === true };
  const output = new Output(
    { ...terminal, write: (text: string) => (texts.out += text) },
    { ...terminal, write: (text: string) => (texts.err += text) },
    () => options.json === true,
  );
  return { output, texts };
}

interface Row {
  readonly name: string;
  readonly total: number | null;
}
const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', value: ({ name }) => name, max: 8 },
  { title: 'TOTAL', value: ({ total }) => total },
];

describe('a list', () => {
  const rows = [
    { name: 'נייר', total: 7 },
    { name: 'Paper & Co', total: 118.5 },
    { name: 'a\nb\u001b[2J', total: null },
  ];

  it('is a table for people: numbers to the right, long texts cut, controls replaced', async () => {
    const { output, texts } = written();
    await output.list(rows, COLUMNS);
    expect(texts).toEqual({
      out: ['NAME      TOTAL', 'נייר          7', 'Paper &…  118.5', 'a b\ufffd[2J       –', ''].join('\n'),
      err: '',
    });
  });

  it('is a line of JSON for each row, unchanged', async () => {
    const { output, texts } = written({ json: true });
    await output.list(rows, COLUMNS);
    expect(texts).toEqual({ out: rows.map((row) => `${JSON.stringify(row)}\n`).join(''), err: '' });
  });

  it('has one header, however long it is, and prints rows before it has all', async () => {
    const { output, texts } = written();
    const lengths: number[] = [];
    const many = (function* () {
      for (let total = 0; total < 450; total += 1) {
        yield { name: 'x', total };
        lengths.push(texts.out.length);
      }
    })();
    await output.list(many, COLUMNS);
    expect(texts.out.match(/NAME/g)).toHaveLength(1);
    expect(texts.out.split('\n')).toHaveLength(452);
    expect(lengths[300]).toBeGreaterThan(0);
  });

  it('that is empty prints a note for people, and nothing for programs', async () => {
    for (const json of [false, true]) {
      const { output, texts } = written({ json });
      await output.list([], COLUMNS);
      expect(texts).toEqual({ out: '', err: json ? '' : 'nothing found\n' });
    }
  });
});

describe('an error', () => {
  const failure = {
    message: 'items is wrong',
    code: 'VALIDATION_FAILED',
    status: 400,
    requestId: 'r-1',
    fields: [{ field: 'items', problem: 'must not be empty' }],
    exitCode: 1 as const,
  };

  it('is text for people, in colour if the terminal has any', () => {
    const plain = written();
    plain.output.fail(failure);
    expect(plain.texts).toEqual({
      out: '',
      err: 'error: items is wrong (VALIDATION_FAILED)\n  items: must not be empty\n  request r-1\n',
    });
    const coloured = written({ colours: true });
    coloured.output.fail(failure);
    expect(coloured.texts.err).toMatch(/^\u001b\[31merror:\u001b\[39m items/);
  });

  it('is one line of JSON for programs', () => {
    const { output, texts } = written({ json: true });
    output.fail(failure);
    expect(JSON.parse(texts.err)).toEqual({ error: failure });
  });

  it('that nobody expected is 1 with its stack, and 130 after an interruption', () => {
    const aborted = AbortSignal.abort();
    expect(failureOf(new Error('odd'), new AbortController().signal)).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/unexpected error: Error: odd\n +at /),
    });
    expect(failureOf(new Error('odd'), aborted)).toMatchObject({ exitCode: 130 });
  });
});

describe('a progress bar', () => {
  const work = { label: 'importing', total: 2, hidden: false };

  it('is drawn on a terminal, within its width, and removed', () => {
    let text = '';
    const stream = { isTTY: true, columns: 20, write: (more: string) => (text += more) };
    const progress = startProgress(stream, work);
    progress.advance(2);
    progress.stop();
    progress.stop();
    expect(text.split('\r\u001b[K')).toEqual(['', 'importing [--------', 'importing [########', '']);
  });

  it.each([
    ['without a terminal', { isTTY: false }, work],
    ['if it is hidden', { isTTY: true }, { ...work, hidden: true }],
  ])('is not drawn %s', (_, terminal, shown) => {
    let text = '';
    const progress = startProgress({ ...terminal, write: (more: string) => (text += more) }, shown);
    progress.advance();
    progress.stop();
    expect(text).toBe('');
  });
});
