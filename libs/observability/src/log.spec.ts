import { createLog } from './log';

function linesOf(work: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  work(
    createLog({ logLevel: 'debug', logFormat: 'json' }, 'test', { write: (line) => void lines.push(line) }),
  );
  return lines.join('');
}

describe('Log', () => {
  it('writes one JSON object a line, with the fields and the name of the process', () => {
    const line = JSON.parse(linesOf((log) => log.info({ documentId: 7 }, 'issued')));
    expect(line).toMatchObject({ name: 'test', documentId: 7, msg: 'issued' });
  });

  it('never writes a secret, wherever it occurs in the fields', () => {
    const secret = 'whsec_do_not_show';
    const text = linesOf((log) => {
      log.info({ secret, endpoint: { secret }, request: { headers: { authorization: secret } } }, 'a');
      log.warn({ key: secret, databaseUrl: secret, body: { apiKey: secret, password: secret } }, 'b');
      log.warn({ endpoints: [{ id: 1 }, { id: 2, secret }] }, 'c');
    });
    expect(text).not.toContain(secret);
    expect(text.match(/\[redacted\]/g)).toHaveLength(8);
    expect(text).toContain('"endpoints":[{"id":1},{"id":2,"secret":"[redacted]"}]');
  });

  it('does not change the fields that it is given', () => {
    const fields = { endpoint: { id: 1, secret: 'whsec_kept' } };
    linesOf((log) => log.info(fields, 'a'));
    expect(fields).toEqual({ endpoint: { id: 1, secret: 'whsec_kept' } });
  });

  it('writes only the type, message and stack of an error, not the fields that a driver added', () => {
    const refused = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['hunter2'] } });
    const failed = Object.assign(new Error('query failed', { cause: refused }), {
      code: '23505',
      query: 'insert into entities',
      parameters: ['hunter2'],
      driverError: { detail: 'Key (tax_id)=(hunter2) already exists.' },
    });
    const text = linesOf((log) => log.error({ error: failed }, 'failed'));
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(text)).toMatchObject({
      error: { message: 'query failed', code: '23505', cause: { message: 'WRONGPASS' } },
    });
  });

  it('writes an error with its stack', () => {
    const line = JSON.parse(linesOf((log) => log.error({ error: new Error('broken') }, 'failed')));
    expect(line.error).toMatchObject({ message: 'broken', stack: expect.stringContaining('log.spec') });
  });
});
