import ipaddr from 'ipaddr.js';

const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const NETWORK_GROUPS = 4;

/**
 * Maps an IP address to the key under which requests of one client and deliveries to one destination are
 * counted: the IPv4 address, also if it is embedded in IPv6, or the /64 of an IPv6 address, the smallest
 * network that providers assign.
 *
 * @param text from a socket, a DNS lookup, or a header of a trusted proxy. Any other text is returned
 *   unchanged
 */
export function machineOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  if (address.match(NAT64, 96)) return new ipaddr.IPv4(address.toByteArray().slice(12)).toString();
  const network = address.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
