/**
 * Returns one line for each break. If a schema is used by many operations, its break is reported only once.
 *
 * @param {import('./breaking-changes.mjs').Break[]} breaks
 * @returns {string[]}
 */
export function grouped(breaks) {
  const groups = new Map();
  for (const { subject, part, at, text, component } of breaks) {
    const place = `${subject}, ${part}`;
    const key = component ? `${at} ${text}` : `${place} ${at} ${text}`;
    const group = groups.get(key) ?? { at, text, places: [] };
    if (!group.places.includes(place)) group.places.push(place);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ at, text, places: [place, ...others] }) => {
    const more = others.length > 0 ? ` (and in ${others.length} other places)` : '';
    return `${place}: ${at === '' ? text : `${at} ${text}`}${more}`;
  });
}
