import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AllowedNetwork } from '@counterfoil/config';
import { isInNetworks, parseUrl } from '@counterfoil/kernel';
import ipaddr from 'ipaddr.js';
import type { ResolveHost } from './host-resolver';
import { OutboundError } from './outbound-error';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Returns true if connections to the address, in any textual form, are allowed on the port. */
type AddressRule = (address: string, port: number) => boolean;

const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const MAPPED_PREFIX_LENGTH = 96;
const VERDICTS_MAX = 10_000;
/** The host service of Azure. Its address is in a public range, but the machine's own host answers it. */
const HOST_SERVICES = ['168.63.129.16'];

/**
 * Allows public addresses, and addresses in networks that the operator allows. Refuses unparsable addresses.
 */
export function addressRule(allowed: readonly AllowedNetwork[]): AddressRule {
  const inNetworks = networkRule(allowed);
  return remembering(
    (text, port) => isIP(text) !== 0 && (isPublic(ipaddr.process(text)) || inNetworks(text, port)),
  );
}

/** Allows only addresses in networks that the operator allows. */
function networkRule(allowed: readonly AllowedNetwork[]): AddressRule {
  const networks = allowed.map(({ cidr, port }) => ({ cidr: withoutMappedPrefix(cidr), port }));
  return (text, port) => {
    if (isIP(text) === 0) return false;
    const ofPort = networks.filter((network) => network.port === null || network.port === port);
    return isInNetworks(
      text,
      ofPort.map(({ cidr }) => cidr),
    );
  };
}

/**
 * Caches results, because the same addresses are checked with every request, and the result for an address
 * never changes.
 */
function remembering(rule: AddressRule): AddressRule {
  const verdicts = new Map<string, boolean>();
  return (address, port) => {
    const key = `${address} ${port}`;
    const known = verdicts.get(key);
    if (known !== undefined) return known;
    if (verdicts.size >= VERDICTS_MAX) verdicts.clear();
    const verdict = rule(address, port);
    verdicts.set(key, verdict);
    return verdict;
  };
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return isPublicV4(address);
  // Networks without IPv4 reach every IPv4 host under this prefix (DNS64).
  if (address.match(NAT64, 96)) return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // Only 2000::/3 is assigned to global unicast. This excludes ::a.b.c.d, 64:ff9b:1::, ULA and ranges
  // reserved for the future.
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST, 3) && !isIsatap(address);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !HOST_SERVICES.includes(address.toString());
}

/** An interface id of 0:5efe:a.b.c.d is a tunnel to a.b.c.d (RFC 5214). */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , flags = 0, marker] = address.parts;
  return marker === 0x5efe && (flags & ~0x0300) === 0;
}

/** `::ffff:10.0.0.0/104` is `10.0.0.0/8`: an address of the first form reaches the host of the second. */
function withoutMappedPrefix(cidr: string): string {
  const [base, prefixLength] = ipaddr.parseCIDR(cidr);
  if (prefixLength < MAPPED_PREFIX_LENGTH || base instanceof ipaddr.IPv4 || !base.isIPv4MappedAddress())
    return cidr;
  return `${base.toIPv4Address().toString()}/${prefixLength - MAPPED_PREFIX_LENGTH}`;
}

/** A URL whose text is valid. Its addresses have not been checked. */
export interface Target {
  readonly url: URL;
  /** A name without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Parses a URL. The parser converts 0x7f.1, 2130706433 and full-width digits to 127.0.0.1. */
export function targetOf(text: string, base?: string): Target {
  const url = parseUrl(text, base);
  if (!url) throw new OutboundError('blocked', 'the url is not valid');
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:') throw new OutboundError('blocked', 'the url is not http or https');
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('blocked', 'the url carries credentials');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return { url, host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port) };
}

/** Suffixes that are reserved for the operator's own networks (RFC 6761, 6762, 8375, 9476). */
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa'];

/** True if the host name is local by its text alone. */
function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || LOCAL_SUFFIXES.some((suffix) => `.${name}`.endsWith(`.${suffix}`));
}

/** Further addresses are not tried. Otherwise one name could take slots at many destinations. */
const ADDRESSES_MAX = 4;
const LOCAL_NAME_REFUSED =
  'the host name is local, and does not lead to an address that OUTBOUND_ALLOWED_CIDRS allows';

/** Resolves a host to its addresses, and refuses it if any of them is forbidden. */
export class AddressGuard {
  private readonly allows: AddressRule;
  private readonly allowsLocal: AddressRule;

  /**
   * @param lookupMs the time limit for resolving a name, and the constant duration of every refused look-up
   */
  constructor(
    private readonly resolve: ResolveHost,
    allowed: readonly AllowedNetwork[],
    private readonly lookupMs: number,
  ) {
    this.allows = addressRule(allowed);
    // Local names may not lead to public addresses either, because a customer could learn the contents of the
    // internal DNS.
    this.allowsLocal = networkRule(allowed);
  }

  /**
   * Checks whether a host may be registered. Only literal addresses and local names are checked. The result
   * or the duration of a look-up would reveal which names the internal DNS knows, and a name may be
   * registered before it exists. `addressesOf` checks every request.
   *
   * @throws OutboundError `blocked`
   */
  async assertRegistrable(target: Target): Promise<void> {
    if (isIP(target.host) !== 0 || isLocalName(target.host)) await this.addressesOf(target);
  }

  /**
   * Returns the addresses to connect to. A name with a forbidden address and a name that does not exist are
   * refused with the same message after the same time. A difference would reveal which names the internal DNS
   * knows.
   *
   * @param limitMs shortens the time after which a name is refused
   * @throws OutboundError `blocked` for a literal address or a local name, `dns` for every other name
   */
  async addressesOf(
    { host, port }: Pick<Target, 'host' | 'port'>,
    limitMs = Number.POSITIVE_INFINITY,
  ): Promise<readonly string[]> {
    if (isIP(host) !== 0) {
      if (!this.allows(host, port)) throw new OutboundError('blocked');
      return [host];
    }
    const local = isLocalName(host);
    const ended = new AbortController();
    const limit = atLeast(Math.min(this.lookupMs, limitMs), ended.signal);
    try {
      const addresses = await Promise.race([this.resolve(host), limit]);
      assertAll(addresses, (address) => (local ? this.allowsLocal : this.allows)(address, port));
      limit.catch(() => undefined);
      ended.abort();
      return addresses.slice(0, ADDRESSES_MAX);
    } catch (cause) {
      await limit;
      if (local) throw new OutboundError('blocked', LOCAL_NAME_REFUSED, { cause });
      throw new OutboundError('dns', undefined, { cause });
    }
  }
}

/**
 * Waits for this many milliseconds. A timer alone may fire early, because it counts from the start of the
 * current turn of the event loop.
 */
async function atLeast(ms: number, signal: AbortSignal): Promise<null> {
  const end = performance.now() + ms;
  for (let left = ms; left > 0; left = end - performance.now())
    await sleep(Math.ceil(left), null, { signal });
  return null;
}

/**
 * Refuses the host if any address is forbidden. An attacker may add one internal address to public ones
 * (contract §15.2).
 *
 * @throws Error with a message for the operator, never for a customer
 */
function assertAll(
  addresses: readonly string[] | null,
  allows: (address: string) => boolean,
): asserts addresses is readonly string[] {
  if (addresses === null) throw new Error('the name was not resolved in time');
  if (addresses.length === 0) throw new Error('the name has no address');
  const forbidden = addresses.find((address) => !allows(address));
  if (forbidden !== undefined) throw new Error(`the name leads to ${forbidden}, which is not allowed`);
}

/**
 * Returns the look-up function of a connection. It returns the checked addresses, even if the name has
 * changed since.
 */
export function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (options.all === true || !first) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
