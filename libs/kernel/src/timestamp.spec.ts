import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { transformFileSync } from '@swc/core';
import fc from 'fast-check';
import { parseTimestamp } from './timestamp';

const iso = (text: string) => parseTimestamp(text)?.toISOString() ?? null;

describe('parseTimestamp reads', () => {
  it.each([
    ['2026-11-21T10:15:30Z', '2026-11-21T10:15:30.000Z'],
    ['2026-11-21T10:15Z', '2026-11-21T10:15:00.000Z'],
    ['2026-11-21T10Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21t10:15:30z', '2026-11-21T10:15:30.000Z'],
    ['2026-11-21T10:15:30.123Z', '2026-11-21T10:15:30.123Z'],
    ['2026-11-21T10:15:30,123Z', '2026-11-21T10:15:30.123Z'],
    ['2026-11-21T10:15:30.5Z', '2026-11-21T10:15:30.500Z'],
    ['2026-11-21T10:15:30.05Z', '2026-11-21T10:15:30.050Z'],
    ['2026-11-21T10:15.5Z', '2026-11-21T10:15:30.000Z'],
    ['2026-11-21T10.25Z', '2026-11-21T10:15:00.000Z'],
    ['2026-11-21T10,3333333333333333Z', '2026-11-21T10:19:59.999Z'],
    ['20261121T1015.5Z', '2026-11-21T10:15:30.000Z'],
    ['20261121T10,5Z', '2026-11-21T10:30:00.000Z'],
    ['2026325T101500.5Z', '2026-11-21T10:15:00.500Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ])('extended: %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ['20261121T101530Z', '2026-11-21T10:15:30.000Z'],
    ['20261121T1015Z', '2026-11-21T10:15:00.000Z'],
    ['20261121T10Z', '2026-11-21T10:00:00.000Z'],
    ['20261121t101530,25z', '2026-11-21T10:15:30.250Z'],
    ['20261121T101530.123456+0200', '2026-11-21T08:15:30.123Z'],
    ['20261121T1015-05', '2026-11-21T15:15:00.000Z'],
  ])('basic: %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ['2026-11-21T10:15:30+02:00', '2026-11-21T08:15:30.000Z'],
    ['2026-11-21T10:15:30+0200', '2026-11-21T08:15:30.000Z'],
    ['2026-11-21T10:15:30+02', '2026-11-21T08:15:30.000Z'],
    ['2026-11-21T10:15:30-09:30', '2026-11-21T19:45:30.000Z'],
    ['2026-11-21T10:15:30+05:45', '2026-11-21T04:30:30.000Z'],
    ['2026-11-21T10:15:30+00:00', '2026-11-21T10:15:30.000Z'],
    ['2026-11-21T10:15:30-00:00', '2026-11-21T10:15:30.000Z'],
    ['2026-01-01T00:30:00+14:00', '2025-12-31T10:30:00.000Z'],
    ['2026-12-31T23:30:00-12', '2027-01-01T11:30:00.000Z'],
    ['2026-11-21T00:00:00+23:59', '2026-11-20T00:01:00.000Z'],
    ['2026-11-21T00:00:00-23:59', '2026-11-21T23:59:00.000Z'],
  ])('offsets: %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['20261121', '2026-11-21T00:00:00.000Z'],
    ['2026-325', '2026-11-21T00:00:00.000Z'],
    ['2026-W47-6', '2026-11-21T00:00:00.000Z'],
    ['2026W476', '2026-11-21T00:00:00.000Z'],
  ])('a date alone, at midnight in UTC: %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ['2026-W47-6T10:15:30+02:00', '2026-11-21T08:15:30.000Z'],
    ['2026W476T101530Z', '2026-11-21T10:15:30.000Z'],
    ['2026-W01-1T00:00Z', '2025-12-29T00:00:00.000Z'],
    ['2026-W53-7T00:00Z', '2027-01-03T00:00:00.000Z'],
    ['2020-W53-5T00:00Z', '2021-01-01T00:00:00.000Z'],
    ['2026-325T10:15:30Z', '2026-11-21T10:15:30.000Z'],
    ['2026-001T00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-365T00:00Z', '2026-12-31T00:00:00.000Z'],
    ['2024-366T00:00Z', '2024-12-31T00:00:00.000Z'],
  ])('by week or day of the year: %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ['2026-11-21T24:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['2026-11-21T24:00Z', '2026-11-22T00:00:00.000Z'],
    ['2026-12-31T24:00:00.000+02:00', '2026-12-31T22:00:00.000Z'],
    ['20261121T240000Z', '2026-11-22T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60.75Z', '2017-01-01T00:00:00.750Z'],
    ['2017-01-01T01:59:60+02:00', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T05:29:60+05:30', '2017-01-01T00:00:00.000Z'],
    ['19690630T235960Z', '1969-07-01T00:00:00.000Z'],
  ])('the end of a day and leap seconds: %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ['2026-11-21T10:15:30.9999Z', '2026-11-21T10:15:30.999Z'],
    ['2026-11-21T10:15:30.1239999999Z', '2026-11-21T10:15:30.123Z'],
    ['2026-11-21T23:59:59.99999999999999999999999999999999999999999Z', '2026-11-21T23:59:59.999Z'],
    ['2026-11-21T10:15:30.0009Z', '2026-11-21T10:15:30.000Z'],
    ['1960-01-01T00:00:00.0009Z', '1960-01-01T00:00:00.000Z'],
  ])('fractions, rounded down to the millisecond because updatedSince is inclusive: %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31', '0099-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('years 1 to 9999: %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });
});

describe('parseTimestamp refuses (contract §10.1)', () => {
  it.each([
    ['a time without an offset', '2026-11-21T10:15:30'],
    ['a time without an offset', '2026-11-21T10:15'],
    ['a time without an offset', '20261121T101530'],
    ['a time without an offset', '2026-W47-6T10:15'],
    ['a date with an offset', '2026-11-21Z'],
    ['a date with an offset', '2026-11-21+02:00'],
    ['no such month', '2026-13-01'],
    ['no such month', '2026-00-01'],
    ['no such day', '2026-02-30'],
    ['no such day', '2025-02-29T00:00:00Z'],
    ['no such day', '1900-02-29'],
    ['no such day', '2026-04-31'],
    ['no such day', '2026-01-00'],
    ['no such day', '20261132'],
    ['no such week', '2025-W53-1'],
    ['no such week', '2026-W00-1'],
    ['no such week', '2026-W54-1'],
    ['no such day of the week', '2026-W47-0'],
    ['no such day of the week', '2026-W47-8'],
    ['no such day of the year', '2026-000'],
    ['no such day of the year', '2026-366'],
    ['no such day of the year', '2024-367'],
    ['hour 25', '2026-11-21T25:00:00Z'],
    ['past the end of the day', '2026-11-21T24:00:01Z'],
    ['past the end of the day', '2026-11-21T24:01Z'],
    ['past the end of the day', '2026-11-21T24:00:00.001Z'],
    ['past the end of the day', '2026-11-21T24:00:00.0000001Z'],
    ['minute 60', '2026-11-21T10:60:00Z'],
    ['second 61', '2026-11-21T23:59:61Z'],
    ['second 60 that is no leap second', '2026-11-21T10:15:60Z'],
    ['second 60 that is no leap second', '2016-12-31T23:59:60+02:00'],
    ['an offset too far', '2026-11-21T10:15:30+24:00'],
    ['an offset too far', '2026-11-21T10:15:30-24'],
    ['an offset too far', '2026-11-21T10:15:30+0260'],
    ['half an offset', '2026-11-21T10:15:30+2'],
    ['half an offset', '2026-11-21T10:15:30+'],
    ['half an offset', '2026-11-21T10:15:30+02:'],
    ['half an offset', '2026-11-21T10:15:30+020'],
    ['two offsets', '2026-11-21T10:15:30Z+02:00'],
    ['a named zone', '2026-11-21T10:15:30 Asia/Jerusalem'],
    ['a bracketed zone', '2026-11-21T10:15:30+02:00[Asia/Jerusalem]'],
    ['a plus that the query turned into a space', '2026-11-21T10:15:30 02:00'],
    ['a space for T', '2026-11-21 10:15:30Z'],
    ['an underscore for T', '2026-11-21_10:15:30Z'],
    ['both forms at once', '2026-11-21T101530Z'],
    ['both forms at once', '20261121T10:15:30Z'],
    ['both forms at once', '2026-1121'],
    ['both forms at once', '2026-11-21T10:1530Z'],
    ['missing digits', '2026-1-5'],
    ['missing digits', '2026-11-21T1:15:30Z'],
    ['missing digits', '2026-11-21T10:15:3Z'],
    ['missing digits', '2026112'],
    ['no fraction after its point', '2026-11-21T10:15:30.Z'],
    ['a year', '2026'],
    ['a month', '2026-11'],
    ['a week', '2026-W47'],
    ['a time alone', 'T10:15:30Z'],
    ['a time alone', '10:15'],
    ['an interval', '2026-11-21/2026-11-22'],
    ['a duration', 'P1D'],
    ['a signed year', '+2026-11-21'],
    ['a signed year', '-2026-11-21'],
    ['a long year', '+012026-11-21T00:00:00Z'],
    ['the year 0', '0000-12-31'],
    ['a year of five digits', '10000-01-01'],
    ['an instant before the year 1', '0001-01-01T00:00:00+00:01'],
    ['an instant after the year 9999', '9999-12-31T23:59:59-00:01'],
    ['an instant after the year 9999', '9999-12-31T24:00:00Z'],
    ['an instant after the year 9999', '9999-W52-7'],
    ['seconds since 1970', '1795219200'],
    ['milliseconds since 1970', '1795219200000'],
    ['seconds with a fraction', '1795219200.5'],
    ['a small number', '0'],
    ['a word', 'yesterday'],
    ['a word', 'now'],
    ['rubbish', 'Invalid Date'],
    ['another format', '21/11/2026'],
    ['another format', 'Sat, 21 Nov 2026 10:15:30 GMT'],
    ['another format', 'Nov 21 2026'],
    ['digits of another script', '٢٠٢٦-١١-٢١'],
    ['digits of another script', '２０２６-11-21'],
    ['a hyphen of another kind', '2026‐11‐21'],
    ['nothing', ''],
    ['a space', ' '],
    ['a space before', ' 2026-11-21T10:15:30Z'],
    ['a space after', '2026-11-21T10:15:30Z '],
    ['a line break after', '2026-11-21T10:15:30Z\n'],
    ['a line before', 'x\n2026-11-21'],
    ['a byte after', '2026-11-21\0'],
  ])('%s: %j', (_, text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it('more than 64 characters', () => {
    const withLength = (length: number) => '2026-11-21T10:15:30.'.padEnd(length - 1, '1') + 'Z';
    expect(iso(withLength(64))).toBe('2026-11-21T10:15:30.111Z');
    expect(iso(withLength(65))).toBeNull();
    expect(parseTimestamp('1'.repeat(1_000_000))).toBeNull();
  });
});

describe('parseTimestamp', () => {
  const instants = fc.date({
    min: new Date('0001-01-03T00:00:00Z'),
    max: new Date('9999-12-28T23:59:59.999Z'),
    noInvalidDate: true,
  });
  const offsets = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
  const two = (value: number) => String(value).padStart(2, '0');

  it('reads any instant at any offset, in both forms', () => {
    fc.assert(
      fc.property(instants, offsets, fc.constantFrom('', '9', '000001'), (instant, offset, finer) => {
        const shown = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const [hours, minutes] = [two(Math.trunc(Math.abs(offset) / 60)), two(Math.abs(offset) % 60)];
        const text = `${shown}${finer}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
        const [date = '', time = ''] = [text.slice(0, 10), text.slice(10)];
        const basic = date.replaceAll('-', '') + time.replaceAll(':', '');
        expect(parseTimestamp(text)).toEqual(instant);
        expect(parseTimestamp(basic)).toEqual(instant);
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads any date also as a week date and an ordinal date', () => {
    const dayMs = 86_400_000;
    for (let day = Date.UTC(1995, 0, 1); day < Date.UTC(2030, 0, 1); day += dayMs) {
      const date = new Date(day);
      const year = date.getUTCFullYear();
      const dayOfYear = String((day - Date.UTC(year, 0, 1)) / dayMs + 1).padStart(3, '0');
      expect(parseTimestamp(`${year}-${dayOfYear}`)).toEqual(date);

      // The week number is the count of the year's Thursdays so far.
      const weekday = date.getUTCDay() || 7;
      const thursday = new Date(day + (4 - weekday) * dayMs);
      let week = 0;
      for (let at = new Date(thursday); at.getUTCFullYear() === thursday.getUTCFullYear(); week += 1) {
        at = new Date(at.getTime() - 7 * dayMs);
      }
      expect(parseTimestamp(`${thursday.getUTCFullYear()}-W${two(week)}-${weekday}`)).toEqual(date);
    }
  });

  it('returns null or a valid date for any text, and never throws', () => {
    const alike = fc.string({ unit: fc.constantFrom(...'0123456789-:+TZW.,tz '), maxLength: 40 });
    fc.assert(
      fc.property(fc.oneof(fc.string(), alike), (text) => {
        const read = parseTimestamp(text);
        expect(read === null || /^\d{4}-/.test(read.toISOString())).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('parseTimestamp does not depend on the host', () => {
  const { code } = transformFileSync(path.join(__dirname, 'timestamp.ts'), {
    swcrc: false,
    configFile: false,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  });
  const texts = [
    '2026-11-21',
    '20260327',
    '2026-W47-6',
    '2026-325',
    // Clocks in Jerusalem skip 02:00 to 03:00 on the first day, and repeat 01:00 to 02:00 on the second.
    '2026-03-27T02:30:00Z',
    '2026-10-25T01:30:00+02:00',
    '0050-06-01T12:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-12-31T24:00:00Z',
  ];

  it.each([
    ['Asia/Jerusalem', -120],
    ['Pacific/Kiritimati', -840],
    ['America/St_Johns', 210],
  ])('in the time zone %s', (zone, minutesBehindUtc) => {
    const script = `${code};
      const read = ${JSON.stringify(texts)}.map((text) => exports.parseTimestamp(text).toISOString());
      console.log(JSON.stringify({ zone: new Date(2026, 0, 15).getTimezoneOffset(), read }));`;
    const printed = execFileSync(process.execPath, ['-e', script], {
      env: { ...process.env, TZ: zone },
      timeout: 8_000,
      encoding: 'utf8',
    });
    expect(JSON.parse(printed)).toEqual({
      zone: minutesBehindUtc,
      read: [
        '2026-11-21T00:00:00.000Z',
        '2026-03-27T00:00:00.000Z',
        '2026-11-21T00:00:00.000Z',
        '2026-11-21T00:00:00.000Z',
        '2026-03-27T02:30:00.000Z',
        '2026-10-24T23:30:00.000Z',
        '0050-06-01T12:00:00.000Z',
        '2017-01-01T00:00:00.000Z',
        '2027-01-01T00:00:00.000Z',
      ],
    });
  });
});
