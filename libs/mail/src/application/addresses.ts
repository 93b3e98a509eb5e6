import { domainToASCII } from 'node:url';
import { ADDRESS_MAX } from '../domain/mail';

/** Every mail server takes these: without quotes, and with ASCII letters before the @. */
const MAILABLE = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+$/;

/** Mail servers know a domain with other letters by its ASCII form only. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + domainToASCII(address.slice(at));
}

/** The form in which mail servers know an address of a client or company. Null if they would refuse it, or there is none. */
export function mailableAddress(address: string | null): string | null {
  if (address === null) return null;
  const ascii = withAsciiDomain(address.trim());
  return ascii.length <= ADDRESS_MAX && MAILABLE.test(ascii) ? ascii : null;
}
