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
    // One sentence says that each route under /webhooks is also served there.
    const paths = API_ROUTES.map((route) => route.path).filter((one) => !one.startsWith('/gateway/webhooks'));
    expect([...new Set(paths)].filter((one) => !isNamed(one))).toEqual([]);
  });

  it('are all in the table of the first of them', () => {
    const table = textOf('README.md');
    expect(PAGES.filter((page) => page !== 'README.md' && !table.includes(`(${page})`))).toEqual([]);
  });

  it('list the attacks of the hostile trial, by their names', () => {
    const trial = fs.readFileSync(path.join(__dirname, 'trials/hostile.trial.ts'), 'utf8');
    const [, list = ''] = /^const ATTACKS.*?= \[$(.*?)^\];$/ms.exec(trial) ?? [];
    const attacks = [...list.matchAll(/\bname: '([^']+)'/g)].map(([, name = '']) => name);
    const [, section = ''] = /^## Under attack$(.*?)^## /ms.exec(textOf('operations.md')) ?? [];
    const rows = [...section.matchAll(/^\| ([^|]*?) +\|/gm)].map(([, cell = '']) => cell.split(':')[0]);
    expect(attacks.length).toBeGreaterThan(10);
    expect(rows).toEqual(['attack', expect.stringMatching(/^-+$/), 'every one', ...attacks]);
  });
});
