import { isIP, type LookupFunction } from 'node:net';
import type { AddressRule } from './address-rule';
import type { ResolveHost } from './host-resolver';
import { OutboundError } from './outbound-error';

/** A url that may be asked, as far as its text tells. */
export interface Target {
  readonly url: URL;
  /** A name without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads a url; its parser has already turned 0x7f.1, 2130706433 and full-width digits into 127.0.0.1. */
export function targetOf(text: string, base?: string): Target {
  if (!URL.canParse(text, base)) throw new OutboundError('blocked', 'the url is not valid');
  const url = new URL(text, base);
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:') throw new OutboundError('blocked', 'the url is not http or https');
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('blocked', 'the url carries credentials');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return { url, host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port) };
}

/** Finds the addresses of a host and lets none through unless every one of them may be reached. */
export class AddressGuard {
  constructor(
    private readonly resolve: ResolveHost,
    private readonly allows: AddressRule,
  ) {}

  /** A literal address is never looked up, so the connection would not meet the check below. */
  assertLiteralAllowed({ host, port }: Target): void {
    if (isIP(host) !== 0 && !this.allows(host, port)) throw new OutboundError('blocked');
  }

  async addressesOf(host: string, port: number): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await this.resolved(host) : [host];
    // One forbidden address among public ones is how a name is made to point inside (field note W5).
    if (!addresses.every((address) => this.allows(address, port))) throw new OutboundError('blocked');
    return addresses;
  }

  /** The look-up of a connection: what passed the check is what the socket connects to. */
  lookupFor({ host, port }: Target): LookupFunction {
    return (_hostname, options, callback) => {
      this.addressesOf(host, port).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          const [first] = found;
          if (options.all === true || !first) callback(null, found);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, []),
      );
    };
  }

  private async resolved(host: string): Promise<readonly string[]> {
    const addresses = await this.resolve(host).catch((error: unknown) => {
      throw new OutboundError('dns', undefined, { cause: error });
    });
    if (addresses.length === 0) throw new OutboundError('dns');
    return addresses;
  }
}
