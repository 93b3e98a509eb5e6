const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};

/** The rule of `parseSize`, for error messages. */
export const SIZE_RULE = 'a number of bytes such as 1048576, 500MiB or 10GiB (B, KiB, MiB, GiB, TiB)';

/** Parses a number of bytes such as `500MiB`; null for anything else. */
export function parseSize(text: string): number | null {
  const [, number, unit = ''] = /^(\d{1,16})(B|KiB|MiB|GiB|TiB)?$/.exec(text) ?? [];
  const bytes = Number(number) * (UNITS[unit] ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
