import fs from 'node:fs';
import path from 'node:path';
import { type Project, projects, ROOT } from './projects';

/** A path from the file's own folder up, as in `path.join(__dirname, '../../README.md')`. */
const UPWARDS = /__dirname,\s*'((?:\.\.\/)+[^']*|\.\.(?:\/\.\.)*)'/g;

/** Files that unit tests load: all but tests of other kinds. */
const isLoaded = (file: string): boolean =>
  file.endsWith('.ts') && !/\.(integration\.spec|e2e\.spec|trial|bench)\.ts$/.test(file);

function leavesItsProject({ root }: Project): string[] {
  const folder = path.join(ROOT, root);
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(src|test)\//.test(file) && isLoaded(file))
    .map((file) => path.join(folder, file))
    .filter((file) =>
      [...fs.readFileSync(file, 'utf8').matchAll(UPWARDS)].some(
        ([, up = '']) => !path.resolve(path.dirname(file), up).startsWith(folder + path.sep),
      ),
    )
    .map((file) => path.relative(ROOT, file));
}

interface Targets {
  readonly targets: Readonly<Record<string, { readonly inputs?: readonly string[] }>>;
}
const inputsOf = ({ root }: Project): readonly string[] => {
  const text = fs.readFileSync(path.join(ROOT, root, 'project.json'), 'utf8');
  return (JSON.parse(text) as Targets).targets['test']?.inputs ?? [];
};

/** They lead out of the project, but no unit test calls the code that reads there. */
const NOT_READ_BY_UNIT_TESTS = [
  'apps/cli/test/cli-process.ts',
  'apps/worker/test/samples.ts',
  'apps/worker/test/trials/listen-run.ts',
  'libs/expenses/src/testing/bare-reader.ts',
  'libs/mail/src/testing/documented-statement.ts',
  'libs/receipt-reader/src/process/reader-command.ts',
  'libs/receipt-reader/src/testing/obedient-readers.ts',
  'libs/receipt-reader/src/testing/pdfs/fuzz-in-process.ts',
];

/** Nx would otherwise answer with a cached result after such a file has changed. */
it.each(projects)('the cached unit tests of $name declare the files that they read elsewhere', (project) => {
  const files = leavesItsProject(project).filter((file) => !NOT_READ_BY_UNIT_TESTS.includes(file));
  const elsewhere = inputsOf(project).filter((input) => /^\{workspaceRoot\}|^repository$/.test(input));
  const undeclared = project.name !== 'test-harness' && elsewhere.length === 0 ? files : [];
  expect(undeclared).toEqual([]);
});

it('finds files that read elsewhere', () => {
  const found = projects.flatMap(leavesItsProject);
  expect(found).toEqual(expect.arrayContaining(['libs/config/src/documented-variables.spec.ts']));
  expect(NOT_READ_BY_UNIT_TESTS.filter((file) => !found.includes(file))).toEqual([]);
});
