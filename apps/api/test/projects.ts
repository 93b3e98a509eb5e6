import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../..');

export interface Project {
  readonly name: string;
  readonly root: string;
  readonly tags: readonly string[];
}

/** The apps and libs of the repository, from their `project.json` files. */
export const projects = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder)).map((name): Project => {
    const root = `${folder}/${name}`;
    const { tags } = JSON.parse(readFileSync(path.join(ROOT, root, 'project.json'), 'utf8')) as Pick<
      Project,
      'tags'
    >;
    return { name, root, tags };
  }),
);

/** The TypeScript files of all projects without specs, as absolute paths. */
export function sourceFiles(): string[] {
  return projects.flatMap(({ root }) => {
    const src = path.join(ROOT, root, 'src');
    return readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => path.join(src, file));
  });
}
