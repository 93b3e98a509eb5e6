// On a machine that is many times slower than usual, tests that measure time say nothing, and CI has a limit of its own.

/**
 * @param {string | null} text the value of TEST_TIMED_WITHIN
 * @returns {number | null} in minutes; null if there is no limit
 */
export function limitOf(text) {
  const minutes = text === null ? null : Number(text);
  if (Number.isNaN(minutes)) throw new Error(`TEST_TIMED_WITHIN must be a number of minutes, not "${text}"`);
  return minutes;
}

/** Whether tests of this kind are left out if they would begin after so many milliseconds. */
export const isLeftOut = (kind, passedMs, limit) =>
  kind === 'timed' && limit !== null && passedMs > limit * 60_000;
