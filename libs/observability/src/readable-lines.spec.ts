import { createLog, type Log } from './log';
import { readableLines } from './readable-lines';

/** Returns the text that a terminal shows, without the time. */
function shown(write: (log: Log) => void): string {
  const readable = readableLines();
  const lines: string[] = [];
  const destination = { write: (json: string) => void lines.push(readable(json)) };
  write(createLog({ logLevel: 'debug', logFormat: 'json' }, 'api', destination));
  return lines.join('').replace(/^\[[\d:.]+\] /gm, '');
}

const REQUEST = { method: 'GET', path: '/documents/7', status: 200, durationMs: 1.2 };

describe('a readable line', () => {
  it('is one for each request, and says each of its fields once', () => {
    const fields = { requestId: 'r-1', ...REQUEST, companyId: 1, apiKeyId: 2 };
    expect(shown((log) => log.info(fields, 'request'))).toBe(
      'INFO (api): GET /documents/7 200 in 1.2 ms {"requestId":"r-1","companyId":1,"apiKeyId":2}\n',
    );
  });

  it('is one for each attempt of a webhook, whether it succeeded or not', () => {
    const fields = { deliveryId: 5, eventId: 'evt_1', eventType: 'document.created', attempt: 1 };
    const done = { ...fields, status: 204, failure: null, durationMs: 8, state: 'delivered' };
    const refused = { ...fields, status: null, failure: 'connection', cause: 'ECONNREFUSED', durationMs: 3 };
    const text = shown((log) => {
      log.info({ ...done, nextAttemptAt: null }, 'webhook attempt');
      log.info({ ...refused, state: 'waiting', nextAttemptAt: '2026-11-21' }, 'webhook attempt');
    });
    expect(text.split('\n')).toEqual([
      'INFO (api): webhook attempt 1: document.created delivered 204 in 8 ms {"deliveryId":5,"eventId":"evt_1"}',
      'INFO (api): webhook attempt 1: document.created waiting connection in 3 ms {"deliveryId":5,"eventId":"evt_1","cause":"ECONNREFUSED","nextAttemptAt":"2026-11-21"}',
      '',
    ]);
  });

  it('is one for any other message with its fields', () => {
    expect(shown((log) => log.warn({ reason: 'two\nlines', seen: null }, 'refused'))).toBe(
      'WARN (api): refused {"reason":"two\\nlines","seen":null}\n',
    );
  });

  it('shows the stack of an error below it', () => {
    const text = shown((log) => log.error({ error: new Error('broken') }, 'failed'));
    expect(text).toMatch(/^ERROR \(api\): failed\s/);
    expect(text).toContain('broken');
    expect(text).toMatch(/^\s+at .*readable-lines\.spec/m);
  });

  it('cannot be forged by a path', () => {
    const path = '/a\u001b[2J\r\nINFO (api): forged';
    const text = shown((log) => log.info({ ...REQUEST, path }, 'request'));
    expect(text).not.toContain('\u001b');
    expect(text.trimEnd().split('\n')).toHaveLength(1);
  });
});
