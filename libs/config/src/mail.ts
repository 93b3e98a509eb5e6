import type { EnvironmentReader } from './environment-reader';
import type { HoursOfDay, MailConfig, SmtpConfig } from './mail-config';

const SUBMISSION_PORT = 587;
const IMPLICIT_TLS_PORT = 465;
/**
 * One address, which is written into the headers of every mail. Its domain may have no dot, such as that of a mail server
 * in the same network, so this is neither the rule for recipients nor that for contacts.
 */
const ADDRESS = /^[^\s@<>"(),:;[\]\\]{1,64}@[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])$/i;

/** Reads how mails are sent (contract §8.18). Validates every variable, also if no server is named. */
export function readMail(read: EnvironmentReader, production: boolean): MailConfig {
  const common = {
    retryDelaysMs: read.durations('MAIL_RETRY_DELAYS', '1m,5m,30m,2h,12h'),
    dailyQuota: read.optionalInteger('MAIL_QUOTA_DAILY', 0, Number.MAX_SAFE_INTEGER),
    reminderHours: readHours(read, 'REMINDER_HOURS', '8-20'),
  };
  const url = read.url('SMTP_URL', ['smtps:', 'smtp:']);
  const from = readFrom(read);
  if (read.optionalText('SMTP_URL') === null) return { server: production ? 'off' : 'mailbox', ...common };
  const server = { ...readServer(read, url ?? 'smtp://invalid'), from: from ?? missingFrom(read) };
  return { server, ...common };
}

function readHours(read: EnvironmentReader, name: string, fallback: string): HoursOfDay {
  const raw = read.text(name, fallback);
  const [, from, until] = (/^(\d{1,2})-(\d{1,2})$/.exec(raw) ?? []).map(Number);
  if (from !== undefined && until !== undefined && from < until && until <= 24) return { from, until };
  const fault = `${name} must be two hours of a day, such as 8-20 or 0-24, not ${JSON.stringify(raw)}`;
  return read.fault(fault, { from: 0, until: 24 });
}

function readFrom(read: EnvironmentReader): string | null {
  const from = read.optionalText('MAIL_FROM');
  if (from === null || ADDRESS.test(from)) return from;
  return read.fault('MAIL_FROM must be an e-mail address, such as billing@example.com', from);
}

const missingFrom = (read: EnvironmentReader): string =>
  read.fault('MAIL_FROM is required when SMTP_URL is set', '');

function readServer(read: EnvironmentReader, text: string): Omit<SmtpConfig, 'from'> {
  const url = new URL(text);
  const { hostname, port } = url;
  const tls = tlsOf(url);
  if (tls === null || hostname === '' || !['', '/'].includes(url.pathname))
    read.fault('SMTP_URL must be smtps://user:password@host:port or smtp://user:password@host:port', null);
  const credentials = readCredentials(read, url);
  if (tls === 'none' && credentials !== null)
    read.fault('SMTP_URL with tls=none would send its password unencrypted: leave out the user', null);
  const portDefault = tls === 'implicit' ? IMPLICIT_TLS_PORT : SUBMISSION_PORT;
  return {
    // The brackets of an IPv6 address belong to the URL.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? portDefault : Number(port),
    tls: tls ?? 'required',
    credentials,
  };
}

/** The faults must not contain the password. */
function readCredentials(read: EnvironmentReader, { username, password }: URL): SmtpConfig['credentials'] {
  if (username === '' && password === '') return null;
  if (username === '' || password === '')
    return read.fault('SMTP_URL must have both a user and a password, or neither', null);
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return read.fault('SMTP_URL must have its user and password percent-encoded', null);
  }
}

/** Null for a query that is not known. */
function tlsOf({ protocol, search }: URL): SmtpConfig['tls'] | null {
  if (search === '') return protocol === 'smtps:' ? 'implicit' : 'required';
  return search === '?tls=none' && protocol === 'smtp:' ? 'none' : null;
}
