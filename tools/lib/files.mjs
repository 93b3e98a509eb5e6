// Atomic writes, and the creation of data folders.
import fs from 'node:fs';
import path from 'node:path';
import { Fault, FILE_FAULTS } from './fault.mjs';

/** Writes a draft and renames it, so that no reader sees a partial file, even after a power cut. */
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
 * Creates a data folder if it is missing.
 *
 * @returns {string} its real path
 * @throws {Fault} if it cannot be used
 */
export function openDataDir(dataDir) {
  try {
    fs.mkdirSync(path.dirname(path.resolve(dataDir)), { recursive: true });
    // Other users may pass through, since PostgreSQL may run as one of them, but cannot list the content.
    if (!fs.existsSync(dataDir)) makeFolder(dataDir, 0o711);
    const folder = fs.realpathSync(dataDir);
    // Fails if it is a file.
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
    // Another process has just created it.
    if (error.code !== 'EEXIST') throw error;
  }
}
