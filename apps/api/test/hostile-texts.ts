/** JSON string contents that no database accepts, or that are not valid text. */
export const UNSTORABLE_LITERALS: readonly string[] = [
  ...['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00', 'a\\ud83d', '\\udc00\\ud800', '\\ud800\\ud800'],
];

/** Bodies that are invalid for every route. */
export const HOSTILE_BODIES: readonly string[] = [
  `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  '{"__proto__":{"isAdmin":true,"companyId":2}}',
  '{"a":{"__proto__":{"isAdmin":true}}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"\\u005f\\u005fproto__":{"toString":1}}',
  '{"toString":"\\u0000","valueOf":1e400}',
  `{"${'k'.repeat(100_000)}\\ud800":1}`,
  `{"a":${'9'.repeat(100_000)},"b":"\\udfff"}`,
];

/** Header values. They cannot contain line breaks. */
export const HOSTILE_HEADER_VALUES: readonly string[] = [
  ...[
    "'; drop table companies; --",
    '<script>alert(1)</script>',
    '${7*7}',
    '../../etc/passwd',
    '%0d%0aX-Evil:%201',
  ],
  ...[
    'a'.repeat(8_000),
    ','.repeat(2_000),
    ';q='.repeat(500),
    '*/*;q=1e309',
    '\t',
    '__proto__',
    '()',
    '\xff\xfe',
  ],
  ...[
    'bytes=0-,'.repeat(500),
    'bytes=9-1',
    'W/"'.repeat(300),
    '"',
    '-1',
    '9'.repeat(400),
    'gzip;q=0, br;q=NaN',
  ],
];
