import type { FilesConfig } from './config';
import { faultsOf, givenConfig } from './testing/given-config';

const SECRET = 'the-secret-of-the-bucket';
const S3 = {
  S3_BUCKET: 'receipts',
  S3_ENDPOINT: 'http://minio:9000',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: SECRET,
};

const files = (env: Record<string, string> = {}): FilesConfig => givenConfig(env).files;

describe('the configuration of uploaded files', () => {
  it('stores them on disk and opens links for an hour by default', () => {
    expect(files()).toEqual({
      linkTtlMs: 3_600_000,
      quota: { bytes: null, files: null },
      s3: null,
    });
    expect(files({ S3_BUCKET: '', S3_ENDPOINT: ' ', S3_FORCE_PATH_STYLE: '' }).s3).toBeNull();
  });

  it.each([
    ['0', 0],
    ['1048576', 1_048_576],
    ['7B', 7],
    ['500MiB', 500 * 1024 ** 2],
    ['10GiB', 10 * 1024 ** 3],
    ['2TiB', 2 * 1024 ** 4],
  ])('accepts FILE_QUOTA_BYTES=%s', (text, bytes) => {
    expect(files({ FILE_QUOTA_BYTES: text }).quota).toEqual({ bytes, files: null });
  });

  it('accepts FILE_QUOTA_FILES', () => {
    expect(files({ FILE_QUOTA_FILES: '100000' }).quota).toEqual({ bytes: null, files: 100_000 });
  });

  it.each([
    ['FILE_QUOTA_BYTES', '10GB'],
    ['FILE_QUOTA_BYTES', '1.5GiB'],
    ['FILE_QUOTA_BYTES', '-1'],
    ['FILE_QUOTA_BYTES', '9000000TiB'],
    ['FILE_QUOTA_FILES', 'many'],
    ['FILE_QUOTA_FILES', '-1'],
  ])('refuses %s=%s in one line that names the variable', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringContaining(`${name} must be a`)]);
  });

  it('stores them in S3 if a bucket is set', () => {
    const amazon = {
      endpoint: null,
      region: 'us-east-1',
      credentials: null,
      forcePathStyle: false,
      prefix: '',
    };
    expect(files({ S3_BUCKET: 'receipts' }).s3).toEqual({ bucket: 'receipts', ...amazon });
    expect(files({ ...S3, S3_REGION: 'il-central-1', S3_PREFIX: 'counterfoil/files' }).s3).toEqual({
      bucket: 'receipts',
      endpoint: 'http://minio:9000',
      region: 'il-central-1',
      credentials: { accessKeyId: 'key', secretAccessKey: SECRET },
      forcePathStyle: true,
      prefix: 'counterfoil/files/',
    });
  });

  it.each([
    [{ ...S3, S3_FORCE_PATH_STYLE: 'false' }, { forcePathStyle: false }],
    [{ S3_BUCKET: 'receipts', S3_FORCE_PATH_STYLE: 'true' }, { forcePathStyle: true }],
    [{ ...S3, S3_PREFIX: 'files/' }, { prefix: 'files/' }],
    [{ ...S3, S3_ENDPOINT: 'https://s3.example/' }, { endpoint: 'https://s3.example' }],
  ])('accepts %j', (env, expected) => {
    expect(files(env).s3).toMatchObject(expected);
  });

  it.each<[Record<string, string>, string]>([
    [{ ...S3, S3_BUCKET: 'a b' }, 'S3_BUCKET must be the name of a bucket, not "a b"'],
    [{ ...S3, S3_BUCKET: '../x' }, 'S3_BUCKET must be the name of a bucket, not "../x"'],
    [{ ...S3, S3_ENDPOINT: 'minio:9000' }, 'S3_ENDPOINT must be a URL that starts with https:// or http://'],
    [
      { ...S3, S3_ENDPOINT: `http://x:${SECRET}@minio` },
      'S3_ENDPOINT must be a URL with only a host and a path',
    ],
    [{ ...S3, S3_ENDPOINT: 'http://minio?x=1' }, 'S3_ENDPOINT must be a URL with only a host and a path'],
    [{ ...S3, S3_PREFIX: '/files' }, 'S3_PREFIX must be folders such as counterfoil/files, not "/files"'],
    [{ ...S3, S3_PREFIX: 'a/../b' }, 'S3_PREFIX must be folders such as counterfoil/files, not "a/../b"'],
    [{ ...S3, S3_FORCE_PATH_STYLE: 'yes' }, 'S3_FORCE_PATH_STYLE must be one of true, false, not "yes"'],
    [
      { ...S3, S3_ACCESS_KEY_ID: '' },
      'S3_ACCESS_KEY_ID is required: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together',
    ],
    [
      { ...S3, S3_SECRET_ACCESS_KEY: '' },
      'S3_SECRET_ACCESS_KEY is required: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together',
    ],
    [
      { ...S3, S3_BUCKET: '' },
      'S3_BUCKET is required when S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY is set',
    ],
    [
      { FILE_LINK_TTL: '8d' },
      'FILE_LINK_TTL must be a duration such as 500ms, 10s or 5m, at most 7d, not "8d"',
    ],
    [
      { FILE_LINK_TTL: '0s' },
      'FILE_LINK_TTL must be a duration such as 500ms, 10s or 5m, at most 7d, not "0s"',
    ],
  ])('refuses %j in one line', (env, fault) => {
    expect(faultsOf(env)).toEqual([fault]);
    expect(fault).not.toContain(SECRET);
  });
});
