import { DEMO_KEY, until } from '@counterfoil/test-harness';
import { type ExpectedError, expectError } from './error-body';
import { invalid, noKey, notFound, tooLarge } from './expected-errors';
import { exchangeBytes } from './http-exchange';
import { CLIENT, CLIENTS, ITEM, post, send, serveRefused, service } from './refused-calls';
import { MIB } from './wire-values';
import { invalidFields } from './invalid-fields';

serveRefused();

const INVOICES = '/documents/create/tax-invoice';
const notJson: ExpectedError = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };

describe('a body that is not a JSON object', () => {
  it.each<[string, string | Buffer]>([
    ['a truncated object', '{"name":"Acme"'],
    ['half a text', '{"name":"Ac'],
    ['a comma too many', '{"name":"Acme",}'],
    ['a comma too many in a list', '{"items":[1,]}'],
    ['single quotes', "{'name':'Acme'}"],
    ['keys without quotes', '{name:"Acme"}'],
    ['NaN', '{"total":NaN}'],
    ['Infinity', '{"total":-Infinity}'],
    ['undefined', '{"total":undefined}'],
    ['hexadecimal', '{"total":0x10}'],
    ['a leading zero', '{"total":01}'],
    ['a leading plus', '{"total":+1}'],
    ['a point without digits', '{"total":1.}'],
    ['a comment', '{"a":1/* */}'],
    ['two values', '{}{}'],
    ['something after it', '{} x'],
    ['a raw line break in a text', '{"name":"a\nb"}'],
    ['a raw NUL in a text', '{"name":"a\0b"}'],
    ['a raw NUL after it', '{}\0'],
    ['an unknown escape', '{"name":"\\x41"}'],
    ['XML', '<name>Acme</name>'],
    ['a form', 'name=Acme&taxId=1'],
    ['white space', ' \n '],
    ['two BOMs', '\ufeff\ufeff{}'],
    ['UTF-16', Buffer.from(`\ufeff{${CLIENT}}`, 'utf16le')],
    ['Latin-1', Buffer.from('{"name":"Café"}', 'latin1')],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['overlong UTF-8', Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate in UTF-8', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ['null', 'null'],
    ['a list', '[]'],
    ['a list of objects', `[{${CLIENT}}]`],
    ['a text', '"x"'],
    ['an empty text', '""'],
    ['a number', '5'],
    ['a number too large', '1e309'],
    ['true', 'true'],
    ['nothing', ''],
    ['an empty object', '{}'],
    ['__proto__', `{${CLIENT},"__proto__":{"admin":true}}`],
    ['__proto__ in disguise', `{${CLIENT},"\\u005f_proto__":{"admin":true}}`],
    ['__proto__ further in', `{${CLIENT},"a":[{"__proto__":{}}]}`],
    ['constructor.prototype', `{${CLIENT},"constructor":{"prototype":{"admin":true}}}`],
    ['NUL in a text', `{${CLIENT},"email":"a\\u0000@b.c"}`],
    ['NUL in an unknown field', `{${CLIENT},"other":{"a":["b\\u0000"]}}`],
    ['NUL in a key', `{${CLIENT},"a\\u0000":1}`],
    ['NUL in a key further in', `{${CLIENT},"a":[{"\\u0000":1}]}`],
    ['half a surrogate pair', `{${CLIENT},"email":"\\ud83d@b.c"}`],
    ['half a surrogate pair in a key', `{${CLIENT},"\\udc00":1}`],
    ['50,000 levels of lists', `{${CLIENT},"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['50,000 levels of objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['50,000 levels never closed', '['.repeat(50_000)],
    ['50,000 unknown keys', `{${CLIENT},${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join()}}`],
    ['a key of 900,000 characters over NUL', `{"${'k'.repeat(900_000)}":"\\u0000"}`],
  ])('is 400: %s', async (_, body) => {
    expectError(await post(CLIENTS, body), invalid());
  });

  it.each<[string, string]>([
    ['500,000 entries', `{"entityId":1,"items":[${'0,'.repeat(499_999)}0]}`],
    ['300,000 empty items', `{"entityId":1,"items":[${'{},'.repeat(299_999)}{}]}`],
    ['1,001 items', `{"entityId":1,"items":[${Array.from({ length: 1_001 }, () => ITEM).join()}]}`],
    ['1,000 items with everything wrong', `{"entityId":1,"items":[${'{},'.repeat(999)}{}]}`],
    ['101 payments', `{"entityId":1,"items":[${ITEM}],"payments":[${'{},'.repeat(100)}{}]}`],
  ])('is refused quickly with a short message: %s', async (_, body) => {
    const started = Date.now();
    expectError(await post(INVOICES, body), invalid());
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  it.each<[string, string | Buffer]>([
    ['a BOM', `\ufeff{${CLIENT}}`],
    ['the last of two equal keys', `{${CLIENT},"name":"Second"}`],
    ['white space around it', ` \r\n\t{${CLIENT}} \n`],
    [
      'keys that objects have by nature',
      `{${CLIENT},"constructor":5,"hasOwnProperty":1,"toString":2,"then":3}`,
    ],
    ['such keys further in', `{${CLIENT},"a":{"constructor":5,"then":"x"},"b":[{"constructor":"y"}]}`],
    ['unknown fields, which are ignored', `{${CLIENT},"id":77,"companyId":2,"other":{"a":[1,{"b":null}]}}`],
    ['null for what may be left out', `{${CLIENT},"email":null,"phoneNumber":null,"entityId":null}`],
    ['Hebrew and emoji', '{"name":"חברה 😀","taxId":"1","type":"PATOOR"}'],
  ])('is refused, whereas %s is accepted', async (_, body) => {
    expect((await post(CLIENTS, body)).status).toBe(201);
  });
});

describe('a field', () => {
  const rows = invalidFields();
  const named = rows.map((row) => ({ ...row, shown: row.literal?.slice(0, 40) ?? 'left out' }));

  it.each(named)('$field of $body is refused as $shown', async ({ method, path, field, sent }) => {
    expectError(await send({ method, path, body: sent }), invalid(field));
  });

  it.each([
    ['entityId', `{"entityId":999999,"items":[${ITEM}]}`],
    ['entityId', `{"entityId":9007199254740991,"items":[${ITEM}]}`],
    ['items[1].productId', `{"entityId":1,"items":[${ITEM},${ITEM.replace('{', '{"productId":1,')}]}`],
    ['retainerId', `{"entityId":1,"items":[${ITEM}],"retainerId":1}`],
    ['linkedDocumentIds[0]', `{"entityId":1,"items":[${ITEM}],"linkedDocumentIds":[999999]}`],
  ])('%s with an unknown id is named in the error', async (field, body) => {
    expectError(await post(INVOICES, body), { status: 400, code: 'UNKNOWN_REFERENCE', field });
  });

  it.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://0x7f.2/',
    'https://2130706434/',
    'https://[::ffff:10.0.0.1]/',
  ])('url with a forbidden address is refused: %s', async (url) => {
    const answer = await post('/webhooks', JSON.stringify({ url, events: ['*'] }));
    expectError(answer, { status: 400, code: 'URL_NOT_ALLOWED' });
  });
});

describe('a body that is too large', () => {
  const large = Buffer.alloc(2 * MIB, 'a');

  it('is 413, with a Content-Length', async () => {
    expectError(await post(INVOICES, large), tooLarge);
  });

  it.each([
    ['with a Content-Length', `Content-Length: ${large.length}`, []],
    ['in chunks without one', 'Transfer-Encoding: chunked', ['0\r\n\r\n']],
  ])('is 413 also for a caller that reads only after sending everything, %s', async (_, header, last) => {
    const key = `Authorization: Bearer ${DEMO_KEY}\r\n`;
    const head = `POST ${INVOICES} HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\n${header}\r\n\r\n`;
    const parts = Array.from({ length: 32 }, (__, n) => large.subarray(n * 65_536, (n + 1) * 65_536));
    const chunks = last.length > 0 ? parts.flatMap((part) => ['10000\r\n', part, '\r\n']) : parts;
    expectError(await exchangeBytes(service.url, [head, ...chunks, ...last], { pauseMs: 2 }), tooLarge);
  });

  it('is accepted up to 1 MiB', async () => {
    const padding = ' '.repeat(MIB - CLIENT.length - 2);
    expect((await post(CLIENTS, `{${CLIENT}${padding}}`)).status).toBe(201);
    expectError(await post(CLIENTS, `{${CLIENT}${padding} }`), tooLarge);
  });
});

describe('a content type', () => {
  it.each([
    ['text/plain'],
    ['text/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/xml'],
    ['application/jsonx'],
    ['application/json-patch+json'],
    ['application/problem+json'],
    ['application/octet-stream'],
    ['nonsense'],
    ['/'],
    [''],
    [null],
  ])('that is not JSON is 415: %s', async (type) => {
    const headers = { 'content-type': type };
    expectError(await send({ method: 'POST', path: CLIENTS, headers, body: `{${CLIENT}}` }), notJson);
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json; charset=iso-8859-1',
    'application/json; profile="x"',
  ])('that is JSON is read as UTF-8, whatever charset it states: %s', async (type) => {
    const headers = { 'content-type': type };
    const body = `{${CLIENT.replace('Acme', 'Café')}}`;
    expect((await send({ method: 'POST', path: CLIENTS, headers, body })).status).toBe(201);
    const latin1 = Buffer.from(body, 'latin1');
    expectError(await send({ method: 'POST', path: CLIENTS, headers, body: latin1 }), invalid());
  });

  it('is required for the body of a DELETE as well', async () => {
    const headers = { 'content-type': 'text/plain' };
    expectError(await send({ method: 'DELETE', path: '/api-keys/1', headers, body: 'x' }), notJson);
  });
});

describe('a request id', () => {
  it.each([
    ['500 characters', 'a'.repeat(500)],
    ['129 characters', 'a'.repeat(129)],
    ['a space', 'a b'],
    ['nothing', ''],
    ['markup', '<script>'],
    ['quotes', '"},{"x":"'],
    ['non-ASCII', 'é'],
    ['a tab', 'a\tb'],
  ])('that is invalid is replaced: %s', async (_, id) => {
    const answer = await send({ method: 'GET', path: '/nothing', headers: { 'x-request-id': id } });
    expectError(answer, notFound);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('that is valid is in the response, in the error body and in the log', async () => {
    const id = `check:${'x'.repeat(100)}_1.2-3`;
    const headers = { 'x-request-id': id };
    const refused = await send({ method: 'GET', path: '/documents/abc', headers });
    expectError(refused, invalid());
    expect(refused.headers['x-request-id']).toBe(id);
    const served = await send({ method: 'GET', path: '/documents', headers });
    expect(served.headers['x-request-id']).toBe(id);
    const lines = () =>
      service
        .logOf('api')
        .split('\n')
        .filter((line) => line.includes(`"requestId":"${id}"`));
    await until('both requests to be logged', () => lines().length === 2);
  });

  it('is unique for requests without one', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send({ method: 'GET', path: '/health/live' })));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });
});

describe('an Authorization header', () => {
  it.each([
    ['missing', null],
    ['empty', ''],
    ['Basic', 'Basic c2s6eA=='],
    ['the key alone', 'sk_test_demo_owner'],
    ['Bearer without a key', 'Bearer'],
    ['Bearer and two spaces', 'Bearer  '],
    ['two keys', 'Bearer sk_test_demo_owner sk_test_demo_owner'],
    ['a list of keys', 'Bearer sk_test_demo_owner, Bearer x'],
    ['a key in quotes', 'Bearer "sk_test_demo_owner"'],
    ['an unknown key', 'Bearer sk_live_unknown'],
    ['a key in other letters', 'Bearer SK_TEST_DEMO_OWNER'],
    ['the beginning of a key', 'Bearer sk_test_demo_owne'],
    ['10,000 characters', `Bearer ${'a'.repeat(10_000)}`],
    ['non-ASCII', 'Bearer é'],
    ['a tab', 'Bearer\tsk_test_demo_owner'],
    ['SQL', "Bearer '--"],
  ])('is 401 when it is %s', async (_, authorization) => {
    for (const [method, path] of [
      ['GET', '/documents'],
      ['PUT', '/company'],
      ['DELETE', '/webhooks/x'],
    ] as const) {
      expectError(await send({ method, path, headers: { authorization } }), noKey);
    }
  });

  it('is accepted with extra spaces and in any case', async () => {
    for (const authorization of ['Bearer  sk_test_demo_owner', 'bearer sk_test_demo_owner']) {
      const answer = await send({ method: 'GET', path: '/company', headers: { authorization } });
      expect(answer.status).toBe(200);
    }
  });

  it('of a HEAD is answered without a body', async () => {
    const answer = await send({ method: 'HEAD', path: '/documents', headers: { authorization: null } });
    expect(answer).toMatchObject({ status: 401, text: '' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('malformed HTTP', () => {
  const HOST = 'Host: a\r\n';
  const KEY = `Authorization: Bearer ${DEMO_KEY}\r\n`;
  const JSON_POST = `POST ${CLIENTS} HTTP/1.1\r\n${HOST}${KEY}Content-Type: application/json\r\n`;

  it.each([
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['no target', 'GET\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\n\r\n'],
    ['a method in small letters', 'get / HTTP/1.1\r\n\r\n'],
    ['a space in the target', `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
    ['non-ASCII in the target', `GET /é HTTP/1.1\r\n${HOST}\r\n`],
    ['a control character in the target', `GET /\x01 HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown protocol', `GET / NONSENSE/1.1\r\n${HOST}\r\n`],
    ['HTTP/2 in clear', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a colon', `GET /documents HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
    ['a space in the name of a header', `GET /documents HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`],
    ['NUL in a header', `GET /documents HTTP/1.1\r\n${HOST}A: b\0c\r\n\r\n`],
    ['a bare CR in a request id', `GET /documents HTTP/1.1\r\n${HOST}X-Request-Id: a\rX-Evil: b\r\n\r\n`],
    ['a bare LF in a request id', `GET /documents HTTP/1.1\r\n${HOST}X-Request-Id: a\nX-Evil: b\r\n\r\n`],
    ['no Host', 'GET /documents HTTP/1.1\r\n\r\n'],
    ['headers of 20 KB', `GET /documents HTTP/1.1\r\n${HOST}A: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['an address of 20 KB', `GET /${'b'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
    ['two lengths', `${JSON_POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length that is negative', `${JSON_POST}Content-Length: -2\r\n\r\n{}`],
    ['a length that is no number', `${JSON_POST}Content-Length: two\r\n\r\n{}`],
    ['a length and chunks', `${JSON_POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
    ['chunks that are none', `${JSON_POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['HTTP/0.9 and an empty line', 'GET /documents\r\n\r\n'],
    ['HTTP/0.9 by its name', `GET /documents HTTP/0.9\r\n${HOST}\r\n`],
    ['HTTP/0.9 with headers and a key', `GET /documents\r\n${HOST}${KEY}\r\n`],
    ['HTTP/2.0 in the words of 1.1', `GET /documents HTTP/2.0\r\n${HOST}${KEY}\r\n`],
    ['two Hosts that are equal', `GET /documents HTTP/1.1\r\n${HOST}${HOST}${KEY}\r\n`],
    ['two Hosts that differ', `GET /documents HTTP/1.1\r\n${HOST}Host: b\r\n${KEY}\r\n`],
    ['two Hosts in other letters', `GET /documents HTTP/1.1\r\n${HOST}${KEY}hOST: a\r\n\r\n`],
    ['two Hosts and HTTP/1.0', `GET /documents HTTP/1.0\r\n${HOST}${HOST}${KEY}\r\n`],
    ['two Authorization headers', `GET /documents HTTP/1.1\r\n${HOST}${KEY}${KEY}\r\n`],
    [
      'a Host after 500 headers',
      `GET /documents HTTP/1.1\r\n${HOST}${KEY}${'a:\r\n'.repeat(500)}Host: b\r\n\r\n`,
    ],
    ...['a, b', 'a b', 'a/b', 'x@a', 'a:b', '[::1', 'é', '<a>'].map((host) => [
      `Host: ${host}`,
      `GET /documents HTTP/1.1\r\nHost: ${host}\r\n${KEY}\r\n`,
    ]),
    ['a Host that is folded', `GET /documents HTTP/1.1\r\nHost: a\r\n b\r\n${KEY}\r\n`],
    ['a header that is folded', `GET /documents HTTP/1.1\r\n${HOST}${KEY}X: a\r\n\tb\r\n\r\n`],
    ...[
      'xchunked',
      'identity',
      'gzip, chunked',
      'chunked, identity',
      'chunked,',
      '"chunked"',
      'chunked;q=1',
    ].map((coding) => [
      `Transfer-Encoding: ${coding}`,
      `${JSON_POST}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ]),
    [
      'two codings',
      `${JSON_POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a space before the colon', `${JSON_POST}Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['two lengths that are equal', `${JSON_POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ['a length that is a list', `${JSON_POST}Content-Length: 2, 2\r\n\r\n{}`],
    ['a length with a sign', `${JSON_POST}Content-Length: +2\r\n\r\n{}`],
    [
      'chunks in HTTP/1.0',
      `${JSON_POST.replace('HTTP/1.1', 'HTTP/1.0')}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['lines that end in LF alone', 'GET /documents HTTP/1.1\nHost: a\n\n'],
  ])('gets the standard error body: %s', async (_, bytes) => {
    const answer = await exchangeBytes(service.url, [bytes]);
    expectError(answer, invalid());
    expect(answer.headers).not.toHaveProperty('x-evil');
  });

  it.each([
    ['half a request line', 'GET /docu'],
    ['HTTP/0.9', 'GET /documents\r\n'],
    ['half the headers', `GET /documents HTTP/1.1\r\n${HOST}Accept: `],
    ['half a body', `${JSON_POST}Content-Length: 100\r\n\r\n{"name":`],
    ['half a chunk', `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n10\r\n{"name":`],
  ])('gets the standard error body when nothing more arrives: %s', async (_, bytes) => {
    expectError(await exchangeBytes(service.url, [bytes], { thenEnd: true }), invalid());
  });

  it('gets the standard error body even when a whole MiB is sent before it is read', async () => {
    const pieces = Array.from({ length: 16 }, () => Buffer.alloc(65_536, 'a'));
    expectError(await exchangeBytes(service.url, pieces, { pauseMs: 2 }), invalid());
    const head = `GET / HTTP/1.1\r\n${HOST}A: `;
    expectError(await exchangeBytes(service.url, [head, ...pieces], { pauseMs: 2 }), invalid());
  });

  it.each([
    ['an upgrade', `GET /documents HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['an unknown expectation', `GET /documents HTTP/1.1\r\n${HOST}Expect: tea\r\n\r\n`],
    ['HTTP/1.0', 'GET /documents HTTP/1.0\r\n\r\n'],
    ['HTTP/1.0 with a Host', `GET /documents HTTP/1.0\r\n${HOST}\r\n`],
    ['an empty Host', 'GET /documents HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a Host with a port', 'GET /documents HTTP/1.1\r\nHost: example.com:3000\r\n\r\n'],
    ['a Host in IPv6', 'GET /documents HTTP/1.1\r\nHost: [::1]:3000\r\n\r\n'],
    ['Hebrew in punycode', 'GET /documents HTTP/1.1\r\nHost: xn--4dbcagdahymbxekheh6e0a7fei0b.il\r\n\r\n'],
    ['a fragment', `GET /documents#a HTTP/1.1\r\n${HOST}\r\n`],
    ['a whole address', `GET http://example.com/documents HTTP/1.1\r\n${HOST}\r\n`],
  ])('is read as an ordinary request if it is one: %s', async (_, bytes) => {
    expectError(await exchangeBytes(service.url, [bytes]), noKey);
  });

  it.each([
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown whole address', `GET http://example.com/nothing HTTP/1.1\r\n${HOST}\r\n`],
  ])('gets a 404: %s', async (_, bytes) => {
    expectError(await exchangeBytes(service.url, [bytes]), notFound);
  });

  it('that stops in the middle, and broken connections, affect no other callers', async () => {
    const halves = [
      'GET /doc',
      `${JSON_POST}Content-Length: 100\r\n\r\n{"a"`,
      `GET /documents HTTP/1.1\r\n${HOST}`,
    ];
    const broken = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        exchangeBytes(service.url, [halves[n % 3]!], { hangUpAfterMs: n % 20 }),
      ),
    );
    expect(broken.every(({ status }) => status === 'rejected')).toBe(true);
    expect((await send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
  });
});
