import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projects, ROOT } from './projects';

describe('the tree', () => {
  type Imports = ReadonlyMap<string, readonly string[]>;

  /** Returns the first import cycle as a list of files, or an empty list. */
  function cycleIn(imports: Imports): readonly string[] {
    const done = new Set<string>();
    const visit = (file: string, trail: readonly string[]): readonly string[] => {
      if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
      if (done.has(file)) return [];
      for (const next of imports.get(file) ?? []) {
        const cycle = visit(next, [...trail, file]);
        if (cycle.length > 0) return cycle;
      }
      done.add(file);
      return [];
    };
    for (const file of imports.keys()) {
      const cycle = visit(file, []);
      if (cycle.length > 0) return cycle;
    }
    return [];
  }

  function resolved(from: string, specifier: string): string | undefined {
    const lib = /^@counterfoil\/(.+)$/.exec(specifier)?.[1];
    if (lib !== undefined) return `libs/${lib}/src/index.ts`;
    if (!specifier.startsWith('.')) return undefined;
    const base = path.join(path.dirname(from), specifier);
    if (base.endsWith('.ts')) return base;
    return [`${base}.ts`, `${base}/index.ts`].find((file) => existsSync(path.join(ROOT, file)));
  }

  function sources(): Imports {
    const files = projects.flatMap(({ root }) =>
      readdirSync(path.join(ROOT, root, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
        .map((file) => path.join(root, 'src', file)),
    );
    return new Map(
      files.map((file) => {
        const { importedFiles } = ts.preProcessFile(readFileSync(path.join(ROOT, file), 'utf8'));
        return [file, importedFiles.flatMap(({ fileName }) => resolved(file, fileName) ?? [])];
      }),
    );
  }

  it('finds a cycle in an example', () => {
    const imports = (edges: Record<string, string[]>): Imports => new Map(Object.entries(edges));
    expect(cycleIn(imports({ a: ['b', 'c'], b: ['c'], c: [] }))).toEqual([]);
    expect(cycleIn(imports({ a: ['b'], b: ['c', 'd'], c: [], d: ['b'] }))).toEqual(['b', 'd', 'b']);
    expect(cycleIn(imports({ a: ['a'] }))).toEqual(['a', 'a']);
  });

  it('has no import cycle', () => {
    const imports = sources();
    expect(imports.get('libs/kernel/src/index.ts')).toContain('libs/kernel/src/app-error.ts');
    expect(imports.size).toBeGreaterThan(projects.length);
    expect(cycleIn(imports)).toEqual([]);
  });

  it('takes advisory locks only with the keys of libs/database', () => {
    const locking = [...sources().keys()].filter(
      (file) =>
        !/\/(migrations|testing)\//.test(file) &&
        /advisory_\w*lock\w*\(/.test(readFileSync(path.join(ROOT, file), 'utf8')),
    );
    expect(locking).toEqual([]);
  });

  it('has every lib in the paths of the compiler', () => {
    const { compilerOptions } = JSON.parse(readFileSync(path.join(ROOT, 'tsconfig.base.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, string[]> };
    };
    const libs = projects.filter(({ root }) => root.startsWith('libs/'));
    expect(compilerOptions.paths).toEqual(
      Object.fromEntries(libs.map(({ name, root }) => [`@counterfoil/${name}`, [`./${root}/src/index.ts`]])),
    );
  });
});
