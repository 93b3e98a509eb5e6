import { type MailOutcome, RESPONSE_MAX } from '../../domain/mail';

/** An error of the SMTP library. */
export interface SmtpError extends Error {
  /** Such as `ECONNECTION`. */
  readonly code?: string;
  /** Of the operating system or of TLS. */
  readonly originalCode?: string;
  /** The words of the server. */
  readonly response?: string;
  readonly responseCode?: number;
  /** The command that the server answered. */
  readonly command?: string;
}

/** Commands that name the recipient or the message. A server that refuses another one refuses this installation. */
const ABOUT_THE_MAIL: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA']);
const PERMANENT_FROM = 500;

const UNREACHABLE = 'the mail server cannot be reached';

/** Our words for failures without words of the server. They name no address of the network of the installation. */
const WORDS: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server does not accept the credentials of this installation',
  ECONNECTION: UNREACHABLE,
  EDNS: 'the name of the mail server has no address',
  EENVELOPE: 'the mail server does not accept the sender of this installation',
  EMESSAGE: 'the message is larger than the mail server accepts',
  ETIMEDOUT: 'the mail server does not answer',
  ETLS: 'the connection to the mail server cannot be encrypted',
};
const CONNECTION_LOST = 'the connection to the mail server was lost';
const UNTRUSTED = 'the certificate of the mail server is not trusted';

/** Returns the outcome of an attempt that ended with an error. */
export function outcomeOf(error: SmtpError, isHandedOver: boolean): MailOutcome {
  const { code, command, response, responseCode = null } = error;
  const isAboutMail = ABOUT_THE_MAIL.has(command);
  if (responseCode !== null && isAboutMail) {
    const kind = responseCode >= PERMANENT_FROM ? 'refused' : 'later';
    return { kind, response: wordsOf(response ?? String(responseCode)) };
  }
  if (isHandedOver) return { kind: 'uncertain', response: `${CONNECTION_LOST} before it answered` };
  return { kind: code === 'EMESSAGE' ? 'refused' : 'later', response: wordsFor(error) };
}

function wordsFor({ code = '', originalCode = '' }: SmtpError): string {
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_/.test(originalCode)) return UNTRUSTED;
  if (/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH)$/.test(originalCode)) return UNREACHABLE;
  return WORDS[code] ?? CONNECTION_LOST;
}

/** The words of a server as they are stored: without control characters, and not too long. */
export function wordsOf(response: string): string {
  return [...response.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, RESPONSE_MAX).join('');
}
