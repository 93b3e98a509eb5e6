import { isIP } from 'node:net';
import type { AllowedNetwork } from '@counterfoil/config';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether an address, in any textual form, may be connected to on a port. */
export type AddressRule = (address: string, port: number) => boolean;

interface Network {
  readonly base: Address;
  readonly prefixLength: number;
  readonly port: number | null;
}

const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const MAPPED_PREFIX_LENGTH = 96;
const VERDICTS_MAX = 10_000;
/** Azure's host service: inside a public range, answered by the machine's own host. */
const HOST_SERVICES = ['168.63.129.16'];

/** Public addresses pass, and those in a network that the operator allows. What cannot be read is refused. */
export function addressRule(allowed: readonly AllowedNetwork[]): AddressRule {
  const inNetworks = networkRule(allowed);
  return remembering(
    (text, port) => isIP(text) !== 0 && (isPublic(addressOf(text)) || inNetworks(text, port)),
  );
}

/** Only addresses in a network that the operator allows pass. */
export function networkRule(allowed: readonly AllowedNetwork[]): AddressRule {
  const networks = allowed.map(networkOf);
  return (text, port) => {
    if (isIP(text) === 0) return false;
    const address = addressOf(text);
    return networks.some((network) => contains(network, address, port));
  };
}

const addressOf = (text: string): Address => withoutMapping(ipaddr.parse(text));

/** Caches the answers: the same addresses are checked with every request, and the answer for one never changes. */
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

/** `::ffff:10.0.0.1` reaches 10.0.0.1, so it is judged as that. */
function withoutMapping(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return isPublicV4(address);
  // Networks without IPv4 of their own see every IPv4 host under this prefix (DNS64).
  if (address.match(NAT64, 96)) return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // 2000::/3 is all that is ever assigned; it leaves out ::a.b.c.d, 64:ff9b:1::, ULA and what may yet be reserved.
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST, 3) && !isIsatap(address);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !HOST_SERVICES.includes(address.toString());
}

/** An interface id of 0:5efe:a.b.c.d tunnels to a.b.c.d (RFC 5214). */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , flags = 0, marker] = address.parts;
  return marker === 0x5efe && (flags & ~0x0300) === 0;
}

function networkOf({ cidr, port }: AllowedNetwork): Network {
  const [base, prefixLength] = ipaddr.parseCIDR(cidr);
  const bare = prefixLength >= MAPPED_PREFIX_LENGTH ? withoutMapping(base) : base;
  return {
    base: bare,
    prefixLength: bare === base ? prefixLength : prefixLength - MAPPED_PREFIX_LENGTH,
    port,
  };
}

function contains(network: Network, address: Address, port: number): boolean {
  if (network.port !== null && network.port !== port) return false;
  return network.base.kind() === address.kind() && address.match(network.base, network.prefixLength);
}
