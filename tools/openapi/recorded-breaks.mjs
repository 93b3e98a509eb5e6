// Intended breaks are recorded in CHANGELOG.md, and raise the version at the next release.
import { Fault } from '../lib/fault.mjs';

const RECORD = /^\s*- \*\*Breaking\*\*/;

/** @returns {string[]} the lines that record a break and that the base does not have: an old one excuses nothing new */
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

/** A version that stays the same is raised at the release; one that was raised must have been raised enough. */
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
