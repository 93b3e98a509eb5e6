import ipaddr from 'ipaddr.js';

const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const NETWORK_GROUPS = 4;

/**
 * The machine that an IP address belongs to, as far as the address tells: an IPv4 address, also where IPv6 carries it, or
 * the /64 of an IPv6 address, which is the smallest network that a provider assigns. Requests of one caller and
 * deliveries to one destination are counted by it.
 *
 * @param text from a socket, a look-up, or a header that a trusted proxy has written. What is no address is its own name
 */
export function machineOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  if (address.match(NAT64, 96)) return new ipaddr.IPv4(address.toByteArray().slice(12)).toString();
  const network = address.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
