// Intended breaks are recorded in CHANGELOG.md, and increase the version at the next release.
import { Fault } from '../lib/fault.mjs';

const RECORD = /^\s*- \*\*Breaking\*\*/;

/**
 * @returns {string[]} the lines that record a break and are not in the base, because old records do not cover
 * new breaks
 */
export function recordsIn(changelog, before) {
  const known = new Set(before.split('\n'));
  return changelog.split('\n').filter((line) => RECORD.test(line) && !known.has(line));
}

/** @param {import('./breaking-changes.mjs').Break} found */
export function isRecorded({ subject, component }, records) {
  return records.some(
    (line) => line.includes(`\`${subject}\``) || (component && line.includes(`\`${component}\``)),
  );
}

/**
 * An unchanged version is increased at the release. If it has been increased already, the increase must be
 * large enough.
 */
export function checkVersion(before, after) {
  const [was, now] = [before, after].map((manifest) => JSON.parse(manifest).version);
  if (was === now) return;
  const [major, minor] = was.split('.').map(Number);
  const [majorNow, minorNow] = now.split('.').map(Number);
  if (majorNow > major || (majorNow === 0 && minorNow > minor)) return;
  const least = major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
  throw new Fault(
    `the version was ${was}, and is ${now}: with a breaking change it must be at least ${least}`,
  );
}
