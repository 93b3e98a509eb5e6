import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './projects';

export interface Plant {
  readonly path: string;
  readonly code: string;
  /** Also linted with rules that need types. The path must then be that of an existing file. */
  readonly typed?: boolean;
}

interface Complaint {
  readonly rule: string | null;
  readonly message: string;
}

/**
 * Collects the source texts while tests are declared. One process lints all of them, because its start takes
 * most of the time.
 */
const planted: Plant[] = [];
let answers: readonly (readonly Complaint[])[] = [];

export function plant(plant: Plant): () => readonly Complaint[] {
  const index = planted.push(plant) - 1;
  return () => answers[index] ?? [{ rule: null, message: 'was not linted' }];
}

export function refused(what: string, rule: string, bad: Plant): void {
  const complaints = plant(bad);
  it(`refuses ${what} in ${bad.path}`, () => {
    expect(complaints().map((complaint) => complaint.rule)).toContain(rule);
  });
}

export function accepted(what: string, good: Plant): void {
  const complaints = plant(good);
  it(`accepts ${what} in ${good.path}`, () => {
    expect(complaints()).toEqual([]);
  });
}

/** Lints all sources that were planted in the file of this call, before its tests. */
export function lintPlanted(): void {
  beforeAll(() => {
    const script = path.join(__dirname, 'lint-planted.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
      cwd: ROOT,
      input: JSON.stringify(planted),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`linting failed: ${stderr}`);
    answers = JSON.parse(stdout) as Complaint[][];
  }, 120_000);
}

/** A file that imports a name and uses it. */
export function importing(file: string, specifier: string, name = 'thing'): Plant {
  return { path: file, code: `import { ${name} } from '${specifier}';\n\nexport const used = ${name};\n` };
}

/** Tests one rule: the same import in a place where it is refused, and in places where it is allowed. */
export function wall(
  rule: string,
  imports: readonly string[],
  where: { bad: readonly string[]; good: readonly string[] },
): void {
  for (const specifier of imports) {
    for (const file of where.bad) refused(specifier, rule, importing(file, specifier));
    for (const file of where.good) accepted(specifier, importing(file, specifier));
  }
}
