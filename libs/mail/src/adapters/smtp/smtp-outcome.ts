import { type MailOutcome, RESPONSE_MAX } from '../../domain/mail';
import { oneLine } from '../../domain/one-line';

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

/** Commands whose answers are about the mail. */
const ABOUT_THE_MAIL: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA']);
/** A policy, for example against a listed address or an unknown sender. The operator may put it right. */
const ABOUT_US = /^5\d\d[ -]5\.7\.\d/;

/**
 * Returns the fields of an error for the log. Words of the server name recipients, which an erasure of their company could
 * not remove from the log. The callers of the company read them in `response` of the mail.
 */
export function loggable(error: SmtpError): object {
  const { code, command, response, responseCode } = error;
  if (response === undefined) return { error };
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  return { code, command, responseCode, status };
}

/** An error of our own, with one of the codes of `WORDS`. */
export function failure(code: string, message: string): SmtpError {
  return Object.assign(new Error(message), { code });
}

const UNENCRYPTED = 'the connection to the mail server cannot be encrypted';
const UNREACHABLE = 'the mail server cannot be reached';

/** Our words for failures without words of the server. They name no address of the network of the installation. */
const WORDS: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server does not accept the credentials of this installation',
  ECONNECTION: UNREACHABLE,
  EDNS: 'the name of the mail server has no address',
  EMESSAGE: 'the message is larger than the mail server accepts',
  ENOTBEGUN: 'the hand-over could not be recorded',
  ETIMEDOUT: 'the mail server does not answer',
  ETLS: UNENCRYPTED,
};
const CONNECTION_LOST = 'the connection to the mail server was lost';
const UNTRUSTED = 'the certificate of the mail server is not trusted';

/** Returns the outcome of an attempt that ended with an error. */
export function outcomeOf(error: SmtpError, isHandedOver: boolean): MailOutcome {
  const { code, command, response = '', responseCode = 0 } = error;
  const isRefusal = responseCode >= 400 && responseCode <= 599;
  if (isRefusal && ABOUT_THE_MAIL.has(command)) {
    const isForGood = responseCode >= 500 && !(command === 'RCPT TO' && ABOUT_US.test(response));
    return { kind: isForGood ? 'refused' : 'later', response: wordsOf(response) };
  }
  if (isHandedOver) return { kind: 'uncertain', response: `${CONNECTION_LOST} before it answered` };
  return { kind: code === 'EMESSAGE' ? 'refused' : 'later', response: wordsFor(error) };
}

function wordsFor({ code = '', originalCode = '', command, responseCode = 0 }: SmtpError): string {
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_/.test(originalCode)) return UNTRUSTED;
  if (/^ERR_SSL_|^EPROTO$/.test(originalCode)) return UNENCRYPTED;
  if (/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH)$/.test(originalCode)) return UNREACHABLE;
  if (command === 'MAIL FROM' && responseCode >= 500)
    return 'the mail server does not accept the sender of this installation';
  return WORDS[code] ?? CONNECTION_LOST;
}

/** The words of a server as they are stored: without control characters, and not too long. */
export function wordsOf(response: string): string {
  return [...oneLine(response)].slice(0, RESPONSE_MAX).join('');
}
