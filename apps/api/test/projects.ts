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
