import fs from 'node:fs/promises';
import path from 'node:path';
import { clustersOf } from '../../domain/printable-text';
import { characterMap } from './character-map';

/** In the order in which a character is looked for. Noto Sans Hebrew also has Latin letters. */
const PACKAGES = [
  { name: '@expo-google-fonts/noto-sans-hebrew', file: 'NotoSansHebrew' },
  { name: '@expo-google-fonts/noto-sans', file: 'NotoSans' },
  { name: '@expo-google-fonts/noto-sans-arabic', file: 'NotoSansArabic' },
  { name: '@expo-google-fonts/noto-sans-thai', file: 'NotoSansThai' },
];
/** They have no bold letters. */
const SYMBOLS = [
  { name: '@expo-google-fonts/noto-sans-math', file: 'NotoSansMath' },
  { name: '@expo-google-fonts/noto-sans-symbols-2', file: 'NotoSansSymbols2' },
];
const MISSING = '\ufffd';
/** Nearly all texts: fonts need not be asked for these letters. */
const ORDINARY = /^[\u0020-\u007e\u00a0-\u00ff\u05d0-\u05ea\u05f3\u05f4\u200b\u200e\u200f\u20aa\u20ac]*$/;

/** The fonts of all documents. A document contains the characters that it uses. */
export class Fonts {
  private constructor(
    readonly files: readonly Buffer[],
    private readonly maps: readonly ReadonlySet<number>[],
  ) {}

  static async load(): Promise<Fonts> {
    const regular = await Promise.all([...PACKAGES, ...SYMBOLS].map((font) => read(font, '400Regular')));
    const bold = await Promise.all(PACKAGES.map((font) => read(font, '700Bold')));
    return new Fonts([...regular, ...bold], regular.map(characterMap));
  }

  /**
   * Replaces characters that no font has by U+FFFD: PDF/A requires a glyph for each. One font must have all parts of a
   * character; otherwise it loses its combining marks.
   */
  withGlyphs(text: string): string {
    if (ORDINARY.test(text)) return text;
    return clustersOf(text)
      .map((cluster) => this.shownCluster(cluster))
      .join('');
  }

  private shownCluster(cluster: string): string {
    const [base = ''] = cluster;
    return [cluster, cluster.normalize('NFC'), base].find((text) => this.has(text)) ?? MISSING;
  }

  private has(text: string): boolean {
    return this.maps.some((map) => [...text].every((character) => map.has(character.codePointAt(0) ?? 0)));
  }
}

function read({ name, file }: (typeof PACKAGES)[number], weight: string): Promise<Buffer> {
  const folder = path.dirname(require.resolve(`${name}/package.json`));
  return fs.readFile(path.join(folder, weight, `${file}_${weight}.ttf`));
}
