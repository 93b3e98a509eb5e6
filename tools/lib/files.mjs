// Files and folders that must be there whole, whatever happens meanwhile.
import fs from 'node:fs';
import path from 'node:path';
import { Fault, FILE_FAULTS } from './fault.mjs';

/** Written beside its place and moved there: nobody reads half of it, and neither does the next start after a power cut. */
export function writeWhole(file, content, mode = 0o644) {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    fs.rmSync(draft, { force: true });
    fs.writeFileSync(draft, content, { mode, flag: 'wx', flush: true });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Makes a data folder where there is none yet.
 *
 * @returns {string} its real path
 * @throws {Fault} in one line, when it cannot be one
 */
export function openDataDir(dataDir) {
  try {
    fs.mkdirSync(path.dirname(path.resolve(dataDir)), { recursive: true });
    // Others may pass through to what is theirs, and see no list of what is there.
    if (!fs.existsSync(dataDir)) makeFolder(dataDir, 0o711);
    const folder = fs.realpathSync(dataDir);
    // Fails where it is a file.
    fs.readdirSync(folder);
    return folder;
  } catch (error) {
    if (!error.code) throw error;
    throw new Fault(
      `cannot keep data in ${dataDir}: ${FILE_FAULTS[error.code] ?? error.code} (see DATA_DIR)`,
    );
  }
}

function makeFolder(folder, mode) {
  try {
    fs.mkdirSync(folder, { mode });
  } catch (error) {
    // Another process was quicker.
    if (error.code !== 'EEXIST') throw error;
  }
}
