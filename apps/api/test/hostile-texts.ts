/**
 * Texts that have a special meaning in some format: SQL, markup, a header, a path, a template, a key of an
 * object.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  ...["'; drop table companies; --", "' or '1'='1", '\\', "\\'", '$1', '%', '_', '%_%', "E'\\x41'", '$$'],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</title><b>',
  ],
  ...[
    '<!--',
    ']]>',
    '&lt;b&gt;',
    '&amp;',
    '&#x3c;',
    '</script><b>',
    '<svg/onload=alert(1)>',
    'javascript:alert(1)',
  ],
  ...['{{7*7}}', '${7*7}', '#{7*7}', '<%= 7*7 %>', '{%raw%}', '${jndi:ldap://127.0.0.1/a}', '`id`', '$(id)'],
  ...[
    'a%0d%0aX-Evil: 1',
    '%00',
    '%2e%2e%2f',
    '../../etc/passwd',
    '..\\..\\a',
    '/etc/passwd',
    'file:///etc/passwd',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'null',
    'undefined',
    'NaN',
  ],
  ...[
    'true',
    '[]',
    '{}',
    '[object Object]',
    '"',
    '"}',
    '{"a":1}',
    "=cmd|' /C calc'!A0",
    '+1',
    '-1',
    '@x',
    '%s%n%x',
  ],
  ...['1e309', '9'.repeat(60), '-0', '0x10', '1_000', '١٢٣', '𝟏𝟐', 'İı', 'ß', 'ﬁ', 'Å'],
  ...['\u202Egnp.exe', '\u2066a\u2069', 'a\u200Bb', 'a\uFEFFb', 'a\u00ADb', 'a\u2028b', 'e\u0301'.repeat(20)],
  ...['שלום <b>', '😀'.repeat(12), '👨‍👩‍👧‍👦', '\u{E0041}\u{E007F}', '\uFFFD', '\uFFFF', '\uD7FF\uE000'],
];

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
