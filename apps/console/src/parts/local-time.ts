const MINUTE_MS = 60_000;

/** Returns a time as the value of a `datetime-local` field, in the zone of the browser; empty for what is no time. */
export function localTime(iso: string | undefined): string {
  const at = new Date(iso ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** Returns the value of a `datetime-local` field as ISO 8601 in UTC; undefined for an empty or unfinished one. */
export function isoTime(local: string): string | undefined {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
