import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './projects';

/**
 * Tests that every citation of the contract and of decision records refers to an existing heading, and that
 * every other citation names its source.
 */

const CONTRACT = 'docs/contract';
const RECORDS = 'docs/adr';
const FOLDERS = ['apps', 'libs', 'tools', 'docs', 'docker'];
const TEXTS = /\.(ts|mjs|cjs|js|md|sql|json|ya?ml|sh)$/;
/** This file contains intentionally broken citations. */
const THIS_FILE = 'apps/api/test/citations.spec.ts';

/** Matches `contract §8.4`, and all sections in `contract §8.4, §8.5 and §9`. */
const CITED = /\bcontract(?:(?:,| and| to)?\s+§\d+(?:\.\d+)?)+/gi;
const SECTION = /§(\d+(?:\.\d+)?)/g;
const RECORD = /\bADR[ -]?(\d{4})\b/g;
/** Citations that readers cannot resolve: neither the contract nor a decision record. */
const UNKNOWN_SOURCES = [
  /\bdecisions\s+§\d*/gi,
  /(?:\(|\*\* )(?:spec:|specification[:,])/gi,
  // Bare codes such as W5, which are not explained anywhere. F1 is excluded, because it is the name of a
  // score.
  /(?:\(|[,;] |\b[Tt]rap |\bnote )(?!F1\b)[WIFGB]\d{1,2}(?=[),;:.]| and )/g,
];

interface Targets {
  /** Numbers of existing chapters and sections. */
  readonly sections: ReadonlySet<string>;
  /** Numbers of existing decision records, with four digits. */
  readonly records: ReadonlySet<string>;
}

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

function filesIn(folder: string): string[] {
  const names = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => TEXTS.test(name)).map((name) => path.join(folder, name));
}

const atTop = readdirSync(ROOT).filter((name) => /\.(md|mjs|js)$/.test(name));
const files = [...FOLDERS.flatMap(filesIn), ...atTop].filter((file) => file !== THIS_FILE);
const chapters = filesIn(CONTRACT).filter((file) => /^\d/.test(path.basename(file)));

/** Returns the numbers of a chapter's headings, in order. */
function numbersIn(chapter: string): string[] {
  return [...read(chapter).matchAll(/^##? (\d+(?:\.\d+)?) /gm)].map(([, number = '']) => number);
}

const targets: Targets = {
  sections: new Set(chapters.flatMap(numbersIn)),
  records: new Set(
    existsSync(path.join(ROOT, RECORDS))
      ? readdirSync(path.join(ROOT, RECORDS)).flatMap((name) => /^(\d{4})-.+\.md$/.exec(name)?.[1] ?? [])
      : [],
  ),
};

/** Replaces line breaks and the following comment marks with spaces, because a citation may be wrapped. */
const unwrapped = (text: string) =>
  text.replace(/\n[ \t]*(?:\*|\/\/)?[ \t]*/g, (gap) => ' '.repeat(gap.length));

/** Returns the broken citations in a text with their lines. */
function problemsIn(file: string, text: string, { sections, records }: Targets): string[] {
  const flat = unwrapped(text);
  const problems: string[] = [];
  const report = (index: number, citation: string) =>
    problems.push(`${file}:${text.slice(0, index).split('\n').length}: ${citation.trim()}`);

  // Inside the contract the word "contract" may be omitted.
  const passages = file.startsWith(`${CONTRACT}/`) ? [{ 0: flat, index: 0 }] : flat.matchAll(CITED);
  for (const passage of passages) {
    for (const [, number = ''] of passage[0].matchAll(SECTION))
      if (!sections.has(number)) report(passage.index, `contract §${number}`);
  }
  for (const { 1: number = '', 0: citation, index } of flat.matchAll(RECORD))
    if (!records.has(number)) report(index, citation);
  for (const pattern of UNKNOWN_SOURCES)
    for (const { 0: citation, index } of flat.matchAll(pattern)) report(index, citation);
  return problems;
}

describe('a citation', () => {
  const planted: Targets = { sections: new Set(['8', '8.4', '8.5', '9.1']), records: new Set(['0003']) };
  const problems = (text: string) => problemsIn('libs/planted/src/planted.ts', text, planted);

  it.each([
    ['a section that does not exist', '/** Why (contract §8.99). */', 'contract §8.99'],
    ['a chapter that does not exist', '// contract §99', 'contract §99'],
    ['the second of two sections', ' * (contract §8.4, §8.98)', 'contract §8.98'],
    ['the last of three sections', ' * contract §8.4, §8.5 and §8.97', 'contract §8.97'],
    ['a section, with a line break', '/** Rounded, as contract\n * §8.96 says.\n */', 'contract §8.96'],
    ['a section, in the name of a test', "describe('numbers (contract §4.4)', () => {", 'contract §4.4'],
    ['a decision record that does not exist', '// See ADR 0004.', 'ADR 0004'],
    ['a section of no known page', '/** Why (decisions §9). */', 'decisions §9'],
    ['the same, with a capital', '/** Decisions §9: retainers. */', 'Decisions §9'],
    ['a specification that is not linked', '/** The window (spec: Limits). */', '(spec:'],
    ['a specification, as the whole comment', '/** Spec: Expense row. */', '** Spec:'],
    ['a specification, in full', ' * (specification, Limits)', '(specification,'],
    ['an unexplained code', "it('retries (W9)', () => {", '(W9'],
    ['an unexplained code after a citation', '(contract §8.4; G12)', '; G12'],
    ['an unexplained code with a noun', '// Trap B3.', 'Trap B3'],
  ])('is refused if it names %s', (_, text, citation) => {
    expect(problems(`const a = 1;\n${text}`)).toEqual([
      expect.stringMatching(/^libs\/planted\/src\/planted\.ts:2: /),
    ]);
    expect(problems(text)[0]).toContain(citation);
  });

  it.each([
    ['a section', 'contract §8.4'],
    ['several', '(contract §8.4, §8.5 and §9.1)'],
    ['a chapter, with a line break', '/** Contract\n * §8. */'],
    ['decision records', 'ADR 0003 and ADR-0003'],
    ['another standard', 'RFC 6749 §6'],
    ['the score of that name', '(F1)'],
    ['a specification as an ordinary word', 'the specification of ISO 8601'],
  ])('is accepted if it names %s', (_, text) => {
    expect(problems(text)).toEqual([]);
  });

  it('can be resolved in every file', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files).toEqual(expect.arrayContaining(['CONTRIBUTING.md', 'libs/kernel/src/decimal.ts']));
    expect(files.flatMap((file) => problemsIn(file, read(file), targets))).toEqual([]);
  });
});

describe('the contract', () => {
  it('numbers the sections of a chapter by its file, in ascending order', () => {
    expect(chapters.length).toBeGreaterThan(10);
    for (const chapter of chapters) {
      const [, number = ''] = /^(\d+)-/.exec(path.basename(chapter)) ?? [];
      const [first, ...sections] = numbersIn(chapter);
      const minor = sections.map((section) => Number(section.split('.')[1]));
      expect([chapter, first]).toEqual([chapter, number]);
      expect(sections).toEqual(minor.map((place) => `${number}.${place}`));
      expect(minor).toEqual([...new Set(minor)].sort((one, other) => one - other));
    }
  });

  it('has every chapter in its index', () => {
    const index = read(`${CONTRACT}/README.md`);
    expect(chapters.filter((chapter) => !index.includes(`](${path.basename(chapter)})`))).toEqual([]);
  });
});

describe('a link between pages', () => {
  /** Returns the anchors of a page's headings, as GitHub generates them. */
  function anchorsOf(page: string): string[] {
    const headings = [...withoutCode(read(page)).matchAll(/^#{1,6} (.*)$/gm)].map(([, text = '']) => text);
    return headings.map((text) =>
      text
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    );
  }

  const withoutCode = (text: string) => text.replace(/^```.*?^```/gms, '');

  function isDead(page: string, link: string): boolean {
    const [target = '', anchor] = link.split('#');
    const file = target === '' ? page : path.join(path.dirname(page), target);
    if (!existsSync(path.join(ROOT, file))) return true;
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
  }

  it('leads to an existing file and heading', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    const dead = pages.flatMap((page) => {
      const text = withoutCode(read(page)).replace(/`[^`\n]*`/g, '');
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
      return links
        .filter((link) => !/^[a-z]+:/.test(link) && isDead(page, link))
        .map((link) => `${page}: ${link}`);
    });
    expect(pages.length).toBeGreaterThan(50);
    expect(dead).toEqual([]);
  });
});
