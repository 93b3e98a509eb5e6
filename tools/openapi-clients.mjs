// `npm run openapi:clients`: generates a client from docs/openapi.json with each generator of docs/generated-clients.md,
// and compiles the samples of the page against them, in strict mode. It needs no service.
import fs from 'node:fs';
import path from 'node:path';
import { complain, seconds, say } from './lib/report.mjs';
import { root, runCommand } from './lib/workspace.mjs';
import { folder, installPackages, packageFile } from './openapi-clients/packages.mjs';
import { sampleIn } from './openapi-clients/samples.mjs';

const DESCRIPTION = path.join(root, 'docs/openapi.json');
const PAGE = path.join(root, 'docs/generated-clients.md');
const COMPILER = path.join(root, 'node_modules/typescript7/lib/tsc.js');

/** The command of each section of the page, with the file or folder that its sample imports. */
const GENERATORS = [
  {
    section: 'openapi-typescript',
    program: 'openapi-typescript/bin/cli.js',
    args: (into) => [DESCRIPTION, '-o', path.join(into, 'counterfoil.d.ts')],
  },
  {
    section: 'Hey API',
    program: '@hey-api/openapi-ts/bin/run.js',
    args: (into) => ['-i', DESCRIPTION, '-o', path.join(into, 'counterfoil'), '--no-log-file'],
  },
  {
    section: 'Orval',
    program: 'orval/dist/bin/orval.js',
    args: (into) => [
      '--input',
      DESCRIPTION,
      '--output',
      path.join(into, 'counterfoil.ts'),
      '--client',
      'fetch',
    ],
  },
];

/** As a new project with a bundler has it. The generated files are checked, too. */
const COMPILER_OPTIONS = {
  ...{ strict: true, noEmit: true, skipLibCheck: false, types: [] },
  ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
  ...{ module: 'esnext', moduleResolution: 'bundler' },
};

async function generate({ section, program, args }, place) {
  const into = path.join(place, section.toLowerCase().replaceAll(' ', '-'));
  fs.mkdirSync(into);
  const command = [packageFile(program), ...args(into)];
  await runCommand(process.execPath, command, { what: section });
  fs.writeFileSync(path.join(into, 'sample.ts'), sampleIn(fs.readFileSync(PAGE, 'utf8'), section));
}

async function compile(place) {
  const project = path.join(place, 'tsconfig.json');
  fs.writeFileSync(project, JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  await runCommand(process.execPath, [COMPILER, '-p', project], { what: 'tsc' });
}

async function check() {
  if (!(await installPackages())) return;
  const started = performance.now();
  // Inside of the folder of the packages, so that the samples find them.
  const place = fs.mkdtempSync(path.join(folder, 'generated-'));
  try {
    await Promise.all(GENERATORS.map((generator) => generate(generator, place)));
    await compile(place);
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
  const names = GENERATORS.map(({ section }) => section).join(', ');
  say(`${names}: the clients and their samples compile under tsc --strict (${seconds(started)})`);
}

await check().catch((error) => {
  complain(error);
  process.exitCode = 1;
});
