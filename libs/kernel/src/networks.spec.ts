import { isInNetworks, parseNetwork } from './networks';

describe('parseNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7/32'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:1:2:3::/64', '2001:db8:1:2::/64'],
    ['::/0', '::/0'],
  ])('reads %s as %s', (text, network) => {
    expect(parseNetwork(text)).toBe(network);
  });

  it.each([
    ...['', 'localhost', '192.0.2', '192.0.2.256', '010.0.0.1', '0x7f.0.0.1', '2130706433', '192.0.2.7/33'],
    ...['192.0.2.7/', '192.0.2.7/-1', '192.0.2.7/24/8', '192.0.2.7/x', ' 192.0.2.7', '192.0.2.7,192.0.2.8'],
    ...['::/129', '2001:db8::1%eth0', '::ffff:192.0.2.7', '::ffff:192.0.2.0/120', '[::1]', '192.0.2.7:80'],
  ])('refuses %j', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });
});

describe('isInNetworks', () => {
  const networks = ['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32'];

  it.each(['192.0.2.0', '192.0.2.255', '198.51.100.7', '::ffff:192.0.2.9', '2001:db8:ffff::1'])(
    'has %s',
    (text) => {
      expect(isInNetworks(text, networks)).toBe(true);
    },
  );

  it.each(['192.0.3.0', '198.51.100.8', '2001:db9::1', '::ffff:192.0.3.9', '', 'unknown', '192.0.2.0/24'])(
    'has no %j',
    (text) => {
      expect(isInNetworks(text, networks)).toBe(false);
    },
  );

  it('has nothing without networks', () => {
    expect(isInNetworks('192.0.2.1', [])).toBe(false);
  });
});
