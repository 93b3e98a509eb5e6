import ipaddr from 'ipaddr.js';

/**
 * Parses an IP address or a network in CIDR notation.
 *
 * @returns the network with its prefix and without the bits behind it, such as `192.0.2.0/24`; null if it is neither
 */
export function parseNetwork(text: string): string | null {
  const [address = '', prefix] = text.split('/');
  // The zone of an address means something on one machine only.
  if (address.includes('%')) return null;
  // Older notations of IPv4, such as `10.1` or `010.0.0.1`, mean different addresses to different programs.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return null;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return null;
  const cidr = prefix === undefined ? `${address}/${parsed.kind() === 'ipv4' ? 32 : 128}` : text;
  if (parsed instanceof ipaddr.IPv4) {
    return ipaddr.IPv4.isValidCIDR(cidr) ? networkOf(ipaddr.IPv4.networkAddressFromCIDR(cidr), cidr) : null;
  }
  return ipaddr.IPv6.isValidCIDR(cidr) ? networkOf(ipaddr.IPv6.networkAddressFromCIDR(cidr), cidr) : null;
}

function networkOf(address: { toString(): string }, cidr: string): string {
  return `${address.toString()}/${Number(cidr.split('/')[1])}`;
}

/**
 * Whether an address belongs to one of the networks.
 *
 * Guards of requests in both directions depend on it.
 *
 * @param text an address. IPv4 embedded in IPv6 counts as IPv4. Any other text belongs to no network
 * @param networks in CIDR notation; bits behind the prefix do not count
 */
export function isInNetworks(text: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return networks.some((network) => {
    const [base, prefix] = ipaddr.parseCIDR(network);
    return base.kind() === address.kind() && address.match(base, prefix);
  });
}
