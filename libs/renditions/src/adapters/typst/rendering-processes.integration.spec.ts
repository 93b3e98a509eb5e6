import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { aPrintableDocument } from '../../testing/a-printable-document';
import { TypstPdfRenderer } from './typst-pdf-renderer';

const ROOT = path.resolve(__dirname, '../../../../..');
const COMPILED = path.join(ROOT, 'dist/libs/renditions/src');

/** Renders in a process of its own, and writes the PDF to its output. */
const SCRIPT = `
  const { TypstPdfRenderer } = require('${COMPILED}/adapters/typst/typst-pdf-renderer');
  const { aPrintableDocument } = require('${COMPILED}/testing/a-printable-document');
  new TypstPdfRenderer()
    .render(aPrintableDocument({ notes: 'שלום' }))
    .then(({ pdf }) => require('node:fs').writeSync(1, pdf));
`;

const BUILD = "import { build } from './tools/build.mjs'; await build(['libs']);";

let home: string;

beforeAll(() => {
  execFileSync(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: ROOT });
});

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-home-'));
});
afterEach(() => fs.rmSync(home, { recursive: true }));

function renderElsewhere(): Buffer {
  const env = {
    ...process.env,
    HOME: home,
    XDG_DATA_HOME: path.join(home, '.local/share'),
    TZ: 'Asia/Tokyo',
  };
  return execFileSync(process.execPath, ['-e', SCRIPT], { env });
}

/** Puts a font with the names of one of ours, but with other widths, where the system looks for fonts. */
function plantFont(): void {
  const folder = path.dirname(require.resolve('@expo-google-fonts/noto-sans-hebrew/package.json'));
  const font = fs.readFileSync(path.join(folder, '400Regular/NotoSansHebrew_400Regular.ttf'));
  for (let at = 12; font.toString('latin1', at, at + 4) !== 'glyf'; at += 16)
    if (font.toString('latin1', at, at + 4) === 'hmtx')
      font.fill(7, font.readUInt32BE(at + 8), font.readUInt32BE(at + 8) + font.readUInt32BE(at + 12));
  for (const place of ['.fonts', '.local/share/fonts']) {
    fs.mkdirSync(path.join(home, place), { recursive: true });
    fs.writeFileSync(path.join(home, place, 'NotoSansHebrew-Regular.ttf'), font);
  }
}

describe('a PDF that another process renders', () => {
  it('has the same bytes, also where the system has a font with the same name', async () => {
    const { pdf: own } = await new TypstPdfRenderer().render(aPrintableDocument({ notes: 'שלום' }));
    expect(Buffer.compare(renderElsewhere(), own)).toBe(0);
    plantFont();
    expect(Buffer.compare(renderElsewhere(), own)).toBe(0);
  });
});
