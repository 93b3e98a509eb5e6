import fs from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const page = read('docs/deployment.md');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);
const commands = blocks('sh').join('\n');
const inline = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

type Values = { readonly [name: string]: Values };
const values = parse(read('deploy/kubernetes/chart/values.yaml')) as Values & {
  readonly secrets: Readonly<
    Record<
      'runtime' | 'migration',
      { readonly name: string; readonly files: Readonly<Record<string, string>> }
    >
  >;
};

describe('docs/deployment.md', () => {
  it('names files of the repository that exist', () => {
    const named = [...page.matchAll(/(?<![\w/.])(?:\.\.\/)?((?:deploy|docker|tools)\/[\w./-]*\w)/g)].map(
      ([, file = '']) => file.replace(/\*$/, ''),
    );
    expect(named.length).toBeGreaterThan(10);
    const exists = (file: string) =>
      fs.existsSync(path.join(ROOT, file)) ||
      // deploy/systemd/counterfoil-*
      fs
        .readdirSync(path.join(ROOT, path.dirname(file)))
        .some((name) => name.startsWith(path.basename(file)));
    expect(named.filter((file) => !file.startsWith('deploy/counterfoil-') && !exists(file))).toEqual([]);
  });

  it('runs programs and scripts that exist', () => {
    const programs = [...page.matchAll(/\bdist\/apps\/(\w+)\/src\/main\.js/g)].map(([, app = '']) => app);
    expect(programs.length).toBeGreaterThan(1);
    for (const app of programs) expect(fs.existsSync(path.join(ROOT, `apps/${app}/src/main.ts`))).toBe(true);
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object };
    const run = [...page.matchAll(/\bnpm run (?:-s )?([\w:]+)/g)].map(([, script = '']) => script);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(run));
    expect(run.length).toBeGreaterThan(0);
  });

  it.each(['runtime', 'migration'] as const)(
    'creates the Secret %s with the keys that the chart mounts',
    (which) => {
      const { name, files } = values.secrets[which];
      const [, options = ''] =
        new RegExp(`create secret generic ${name} (.*?)\\n(?! )`, 's').exec(`${commands}\n`) ?? [];
      const keys = [...options.matchAll(/--from-file=([\w-]+)/g)].map(([, key]) => key);
      expect(keys.sort()).toEqual(Object.values(files).sort());
      for (const key of keys) expect(commands).toMatch(new RegExp(` > ${key}\\b`));
    },
  );

  it('names values of the chart that exist', () => {
    const roots = Object.keys(values).filter((name) => name !== 'config');
    const named = inline
      .map((text) => text.split(':')[0]!)
      .filter((text) => /^[\w.]+$/.test(text) && roots.includes(text.split('.')[0]!) && text.includes('.'));
    const isKnown = (name: string) =>
      name.split('.').reduce<Values | undefined>((value, key) => value?.[key], values) !== undefined;
    expect(named.filter((name) => !isKnown(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it('has an example of values that the schema accepts', () => {
    const validate = new Ajv({ strict: false }).compile(
      JSON.parse(read('deploy/kubernetes/chart/values.schema.json')) as object,
    );
    const [example] = blocks('yaml')
      .map((text) => parse(text) as object)
      .filter((one) => 'config' in one);
    expect(example).toBeDefined();
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ config: { SECRETS_KEY: 'secret' } })).toBe(false);
    expect(validate(values)).toBe(true);
  });

  it('writes the secrets that the units load, and names units that exist', () => {
    const folder = path.join(ROOT, 'deploy/systemd');
    const units = fs.readdirSync(folder).filter((name) => name.endsWith('.service'));
    const loaded = units.flatMap((name) =>
      [...fs.readFileSync(path.join(folder, name), 'utf8').matchAll(/^LoadCredential=[^:]+:(.+)$/gm)].map(
        ([, file = '']) => file,
      ),
    );
    expect([...new Set(loaded)].filter((file) => !commands.includes(` > ${file}`))).toEqual([]);
    const started = [...commands.matchAll(/^systemctl (?:restart|enable --now) (.+)$/gm)].flatMap(
      ([, names = '']) => names.replace(/ *#.*/, '').split(' '),
    );
    expect(started.length).toBeGreaterThan(4);
    expect(started.filter((name) => !units.includes(`${name}.service`))).toEqual([]);
  });

  it('migrates before it stops the old processes', () => {
    const restarts = [...commands.matchAll(/^systemctl restart (.+)$/gm)].map(([, names]) => names);
    expect(restarts).toEqual([
      'counterfoil-migrate',
      'counterfoil-reader counterfoil-worker counterfoil-api',
    ]);
  });
});
