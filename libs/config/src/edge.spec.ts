import { faultsOf, givenConfig } from './testing/given-config';

describe('CORS_ORIGINS', () => {
  it.each([
    [undefined, []],
    ['*', ['*']],
    ['https://app.example.com', ['https://app.example.com']],
    ['https://app.example.com, http://localhost:5173', ['https://app.example.com', 'http://localhost:5173']],
  ])('%s', (CORS_ORIGINS, corsOrigins) => {
    expect(givenConfig({ CORS_ORIGINS })).toMatchObject({ corsOrigins });
  });

  it.each([
    ...[
      'app.example.com',
      'https://app.example.com/',
      'https://APP.example.com',
      'https://app.example.com:443',
    ],
    ...[
      'https://*.example.com',
      'https://a.example.com,*',
      'null',
      'https://',
      'ftp://example.com',
      'https://a b',
    ],
  ])('is refused as %s', (CORS_ORIGINS) => {
    expect(faultsOf({ CORS_ORIGINS })).toEqual([expect.stringContaining('CORS_ORIGINS must be origins')]);
  });
});

describe('COMPRESS_FROM', () => {
  it.each([
    [undefined, null],
    ['1024', 1024],
    ['16KiB', 16 * 1024],
  ])('%s', (COMPRESS_FROM, compressFromBytes) => {
    expect(givenConfig({ COMPRESS_FROM })).toMatchObject({ compressFromBytes });
  });

  it('is refused without a size', () => {
    expect(faultsOf({ COMPRESS_FROM: 'yes' })).toEqual([expect.stringContaining('COMPRESS_FROM must be')]);
  });
});
