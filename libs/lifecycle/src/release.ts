import fs from 'node:fs';
import path from 'node:path';

/** The folder of the checkout or of the image: the nearest one with a package.json, for compiled code as well. */
export const ROOT = nearestPackage(__dirname);

/** The version of the service, as in package.json. */
export function releaseVersion(): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

function nearestPackage(folder: string): string {
  if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error('no package.json above the code');
  return nearestPackage(parent);
}
