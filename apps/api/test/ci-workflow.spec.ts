import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projects, ROOT } from './projects';

interface Job {
  readonly steps: readonly { readonly run?: string }[];
}

interface Workflow {
  readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': string };
  readonly jobs: Readonly<Record<string, Job>>;
}

const file = path.join(ROOT, '.github/workflows/ci.yml');
const workflow = parse(fs.readFileSync(file, 'utf8')) as Workflow;

it('tests every commit on main, because only runs of one pull request replace each other', () => {
  const { concurrency } = workflow;
  expect(concurrency['cancel-in-progress']).toBe("${{ github.event_name == 'pull_request' }}");
  // GitHub replaces a pending run by a newer one of its group, even without cancel-in-progress.
  expect(concurrency.group).toContain("github.event_name == 'pull_request' && github.ref || github.run_id");
});

it.each(Object.entries(workflow.jobs))(
  'the job %s lets the sandbox create user namespaces',
  (_, { steps }) => {
    const indexOf = (text: string) => steps.findIndex(({ run }) => run?.includes(text));
    const allowed = indexOf('sysctl -w kernel.apparmor_restrict_unprivileged_userns=0');
    expect(allowed).toBeGreaterThanOrEqual(0);
    const needing = ['.ci/run', '-t integration', 'openapi:postman'].map(indexOf);
    expect(allowed).toBeLessThan(Math.max(...needing));
  },
);

it.each(['openapi:clients', 'openapi:postman', 'kubernetes -- --check'])('runs %s', (script) => {
  const { clients } = workflow.jobs;
  expect(clients?.steps.map(({ run }) => run)).toContain(`npm run -s ${script}`);
});

/** Test targets by file name suffix. The first match decides. */
const TARGETS = [
  [/\.timed\.(integration|e2e)\.spec\.ts$/, 'timed'],
  [/\.integration\.spec\.ts$/, 'integration'],
  [/\.e2e\.spec\.ts$/, 'e2e'],
  [/\.spec\.ts$/, 'test'],
] as const;

it.each(projects)('$root has a target for each kind of its tests', ({ root }) => {
  const { targets } = JSON.parse(fs.readFileSync(path.join(ROOT, root, 'project.json'), 'utf8')) as {
    readonly targets: object;
  };
  const names = fs.readdirSync(path.join(ROOT, root), { recursive: true, encoding: 'utf8' });
  const needed = names.flatMap((name) => TARGETS.find(([ending]) => ending.test(name))?.[1] ?? []);
  expect(Object.keys(targets)).toEqual(expect.arrayContaining([...new Set(needed)]));
});
