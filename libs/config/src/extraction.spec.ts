import { ConfigError } from './config';
import type { Environment } from './environment-reader';
import { givenConfig } from './testing/given-config';

const SECOND = { SECOND_READER_URL: 'http://127.0.0.1:11434/v1/', SECOND_READER_MODEL: 'small' };

const read = (env: Environment) => givenConfig(env).extraction;

describe('the configuration of extraction (contract §12)', () => {
  it('keeps documents on the machine by default', () => {
    expect(read({})).toEqual({
      timeoutMs: 30_000,
      documentTimeoutMs: 27_000,
      sandbox: 'auto',
      socket: null,
      secondReader: null,
    });
  });

  it('accepts a second reader', () => {
    expect(read({ ...SECOND, EXTRACTION_TIMEOUT: '1m' })).toEqual({
      timeoutMs: 60_000,
      documentTimeoutMs: 54_000,
      sandbox: 'auto',
      socket: null,
      secondReader: { url: 'http://127.0.0.1:11434/v1', model: 'small', apiKey: null },
    });
    expect(read({ ...SECOND, SECOND_READER_API_KEY: 'sk-1' }).secondReader?.apiKey).toBe('sk-1');
  });

  it.each([
    [{ SECOND_READER_URL: 'http://127.0.0.1/v1' }, 'must be set together'],
    [{ SECOND_READER_MODEL: 'small' }, 'must be set together'],
    [{ SECOND_READER_API_KEY: 'sk-1' }, 'must be set together'],
    [{ ...SECOND, SECOND_READER_URL: 'https://user:secret@models.example/v1' }, 'SECOND_READER_URL must be'],
    [{ EXTRACTION_TIMEOUT: 'soon' }, 'EXTRACTION_TIMEOUT'],
  ])('refuses %j', (env, fault) => {
    expect(() => read(env)).toThrow(ConfigError);
    expect(() => read(env)).toThrow(fault);
  });
});
