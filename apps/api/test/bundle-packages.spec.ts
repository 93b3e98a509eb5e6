import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './projects';

const SCRIPT = `
  import { joinPackages, PACKAGES } from './tools/bundle-packages.mjs';
  const { files } = await joinPackages();
  console.log(JSON.stringify({ files, packages: PACKAGES }));
`;
const IMPORT = /(?:from|import|import\(|require\() ?['"]((?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?)['"]/g;
const nameOf = (module: string): string => /^(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;

/** Returns the modules of packages that the sources of programs import, without types. */
function importedModules(): Set<string> {
  const folders = ['apps', 'libs'].flatMap((parent) =>
    fs.readdirSync(path.join(ROOT, parent)).map((project) => path.join(ROOT, parent, project, 'src')),
  );
  const sources = folders.flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec|\.bench|\.d)\.ts$/.test(file) && !/(^|\/)testing\//.test(file))
      .map((file) =>
        fs.readFileSync(path.join(folder, file), 'utf8').replace(/^(import|export) type .*$/gm, ''),
      ),
  );
  return new Set(sources.flatMap((source) => [...source.matchAll(IMPORT)].map(([, module = '']) => module)));
}

describe('the bundle of packages', () => {
  let joined: { files: string[]; packages: string[] };
  beforeAll(() => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { cwd: ROOT });
    joined = JSON.parse(output.toString()) as typeof joined;
  }, 60_000);

  it('has an entry for each module in it that programs import, so that none is loaded twice', () => {
    const contained = new Set(
      joined.files.flatMap(
        (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(file)?.[1] ?? [],
      ),
    );
    const imported = [...importedModules()].filter((module) => contained.has(nameOf(module)));
    expect(imported.length).toBeGreaterThan(15);
    expect(imported.filter((module) => !joined.packages.includes(module))).toEqual([]);
  });

  it('has no entry that no program imports', () => {
    const imported = importedModules();
    expect(joined.packages.filter((name) => !imported.has(name))).toEqual([]);
  });
});
