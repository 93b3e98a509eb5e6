import type { Environment } from './environment-reader';
import { faultsOf, givenConfig } from './testing/given-config';

const FROM = { MAIL_FROM: 'billing@example.com' };
const serverOf = (SMTP_URL: string) => givenConfig({ ...FROM, SMTP_URL }).mail.server;

describe('the configuration of mails (contract §8.18)', () => {
  it('stores them on this machine by default, and sends none in production', () => {
    expect(givenConfig({}).mail).toEqual({
      server: 'mailbox',
      retryDelaysMs: [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000],
      ...{ dailyQuota: null, reminderHours: { from: 8, until: 20 } },
    });
    expect(givenConfig({ NODE_ENV: 'production' }).mail.server).toBe('off');
  });

  it('limits the mails of a day only if it is told to', () => {
    expect(givenConfig({ MAIL_QUOTA_DAILY: '500' }).mail.dailyQuota).toBe(500);
  });

  it('reminds at any hour if it is told to', () => {
    expect(givenConfig({ REMINDER_HOURS: '0-24' }).mail.reminderHours).toEqual({ from: 0, until: 24 });
  });

  it.each([
    [
      'smtps://a%40b:p%2Fw@mail.example.com',
      { port: 465, tls: 'implicit', credentials: { user: 'a@b', pass: 'p/w' } },
    ],
    ['smtp://u:p@mail.example.com', { port: 587, tls: 'required', credentials: { user: 'u', pass: 'p' } }],
    ['smtp://mail.example.com:2525?tls=none', { port: 2525, tls: 'none', credentials: null }],
    ['smtp://mail.example.com/?tls=none', { port: 587, tls: 'none', credentials: null }],
  ])('reads %s', (url, server) => {
    expect(serverOf(url)).toEqual({ host: 'mail.example.com', from: 'billing@example.com', ...server });
  });

  it('reads an IPv6 address', () => {
    expect(serverOf('smtp://[::1]:25?tls=none')).toMatchObject({ host: '::1', port: 25 });
  });

  it.each<[Environment, string]>([
    [
      { SMTP_URL: 'https://mail.example.com', ...FROM },
      'SMTP_URL must be a URL that starts with smtps:// or smtp://',
    ],
    [
      { SMTP_URL: 'smtp://u:hunter2@mail.example.com?tls=none', ...FROM },
      'would send its password unencrypted',
    ],
    [{ SMTP_URL: 'smtps://mail.example.com?tls=none', ...FROM }, 'SMTP_URL must be smtps://'],
    [{ SMTP_URL: 'smtp://mail.example.com?tls=off', ...FROM }, 'SMTP_URL must be smtps://'],
    [{ SMTP_URL: 'smtps://u:100%hunter2@mail.example.com', ...FROM }, 'percent-encoded'],
    [{ SMTP_URL: 'smtps://hunter2@mail.example.com', ...FROM }, 'both a user and a password'],
    [{ SMTP_URL: 'smtps://:hunter2@mail.example.com', ...FROM }, 'both a user and a password'],
    [{ SMTP_URL: 'smtp://mail.example.com/path', ...FROM }, 'SMTP_URL must be smtps://'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM is required when SMTP_URL is set'],
    [{ MAIL_FROM: 'Acme <billing@example.com>' }, 'MAIL_FROM must be an e-mail address'],
    [{ MAIL_FROM: 'billing' }, 'MAIL_FROM must be an e-mail address'],
    [{ MAIL_RETRY_DELAYS: 'soon' }, 'MAIL_RETRY_DELAYS must be durations'],
    [{ REMINDER_HOURS: '20-8' }, 'REMINDER_HOURS must be two hours of a day'],
    [{ REMINDER_HOURS: '8-25' }, 'REMINDER_HOURS must be two hours of a day'],
    [{ REMINDER_HOURS: 'morning' }, 'REMINDER_HOURS must be two hours of a day'],
    [{ MAIL_QUOTA_DAILY: 'many' }, 'MAIL_QUOTA_DAILY must be a whole number'],
  ])('refuses %j in one line', (env, fault) => {
    const faults = faultsOf(env);
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults.join()).not.toContain('hunter2');
  });
});
