import fs from 'node:fs';
import path from 'node:path';
import { API_ROUTES } from './api-routes';

const ROOT = path.resolve(__dirname, '../../..');
const PAGES = fs.readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
const textOf = (page: string) => fs.readFileSync(path.join(ROOT, 'docs', page), 'utf8');

describe('the pages of docs/', () => {
  it('name every route, by its path', () => {
    const text = PAGES.map(textOf).join('\n');
    const isNamed = (route: string) => {
      const steps = route.split('/').map((step) => (step.startsWith('{') ? '[^\\s/`?]+' : step));
      return new RegExp(`${steps.join('/')}(?![\\w/-])`).test(text);
    };
    // One sentence states that each route under /webhooks also exists there.
    const paths = API_ROUTES.map((route) => route.path).filter((one) => !one.startsWith('/gateway/webhooks'));
    expect([...new Set(paths)].filter((one) => !isNamed(one))).toEqual([]);
  });

  it('are all listed in the table of the index page', () => {
    const table = textOf('README.md');
    expect(PAGES.filter((page) => page !== 'README.md' && !table.includes(`(${page})`))).toEqual([]);
  });

  it('number the decision records without gaps, and list them with their titles', () => {
    const index = textOf('adr/README.md');
    const records = fs
      .readdirSync(path.join(ROOT, 'docs/adr'))
      .filter((name) => name !== 'README.md')
      .sort();
    const rows = records.map((name, at) => {
      const number = `${at + 1}`.padStart(4, '0');
      const [, title] = new RegExp(`^# ${number}\\. (.+)$`, 'm').exec(textOf(`adr/${name}`)) ?? [];
      return { name, title: title ?? `no heading "# ${number}. …"`, link: `| [${number}](${name})` };
    });
    expect(records.length).toBeGreaterThan(0);
    expect(rows.filter(({ link, title }) => !index.includes(link) || !index.includes(`| ${title} `))).toEqual(
      [],
    );
  });

  it('explain each glossary term once, with a name that exists in its file', () => {
    const rows = [
      ...textOf('glossary.md').matchAll(
        /^\| (\S[^|]*?) +\| [^|]+ \| `(\w+)`, \[[^\]]+\]\(\.\.\/([^)]+)\) +\|$/gm,
      ),
    ].map(([, term = '', name = '', file = '']) => ({ term, name, file }));
    const isIn = ({ name, file }: { readonly name: string; readonly file: string }) =>
      new RegExp(`\\b${name}\\b`).test(fs.readFileSync(path.join(ROOT, file), 'utf8'));
    // Each line of the tables except their headers.
    expect(rows.length).toBe([...textOf('glossary.md').matchAll(/^\| (?!term |-)/gm)].length);
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => !isIn(row))).toEqual([]);
    expect(new Set(rows.map(({ term }) => term)).size).toBe(rows.length);
  });

  it('list the attacks of the hostile trial by name', () => {
    const trial = fs.readFileSync(path.join(__dirname, 'trials/hostile.trial.ts'), 'utf8');
    const [, list = ''] = /^const ATTACKS.*?= \[$(.*?)^\];$/ms.exec(trial) ?? [];
    const attacks = [...list.matchAll(/\bname: '([^']+)'/g)].map(([, name = '']) => name);
    const [, section = ''] = /^## Under attack$(.*?)^## /ms.exec(textOf('operations.md')) ?? [];
    const rows = [...section.matchAll(/^\| ([^|]*?) +\|/gm)].map(([, cell = '']) => cell.split(':')[0]);
    expect(attacks.length).toBeGreaterThan(10);
    expect(rows).toEqual(['attack', expect.stringMatching(/^-+$/), 'every one', ...attacks]);
  });
});

describe('CONTRIBUTING.md', () => {
  const text = fs.readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const sourceFiles = ['apps', 'libs'].flatMap((folder) =>
    fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }),
  );

  it.each(['trial', 'bench'])('names every %s in one command', (kind) => {
    const commands = [...text.matchAll(new RegExp(`^npm run ${kind} -- ([a-z -]+?) +#`, 'gm'))];
    const files = sourceFiles.filter((name) => name.endsWith(`.${kind}.ts`));
    expect(commands.map(([, names = '']) => names.split(' ').sort())).toEqual([
      files.map((name) => path.basename(name, `.${kind}.ts`)).sort(),
    ]);
  });

  it('closes every code block', () => {
    const fences = [...text.matchAll(/^(`{3,})/gm)].map(([, fence]) => fence);
    expect(fences).toEqual(fences.map(() => '```'));
    expect(fences.length % 2).toBe(0);
  });
});
