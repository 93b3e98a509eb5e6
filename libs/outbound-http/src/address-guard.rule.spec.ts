import { addressRule } from './address-guard';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '2a00:1450::1:5efe:808:808',
];

const FORBIDDEN = [
  // this host, private, shared, loopback, link-local
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  // protocol assignments, documentation, relay, benchmarking, multicast, reserved, broadcast
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  // IPv6 of the same kinds
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '5f00::1',
  '4000::1',
  // an IPv4 address inside
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:10.0.0.1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2a00:1450::5efe:10.0.0.1',
  '2a00:1450::200:5efe:10.0.0.1',
  // not addresses at all
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '1.1.1.1 ',
  '[::1]',
  '1.1.1.1/32',
];

describe('allowed addresses (contract §15.2)', () => {
  const allows = addressRule([]);

  it.each(PUBLIC)('%s is allowed', (address) => {
    expect(allows(address, 443)).toBe(true);
  });

  it.each(FORBIDDEN)('%j is not allowed', (address) => {
    expect(allows(address, 443)).toBe(false);
  });
});

describe('networks that the operator allows', () => {
  const allows = addressRule([
    { cidr: '10.1.0.0/16', port: null },
    { cidr: '127.0.0.1/32', port: 4319 },
    { cidr: 'fd00:1::/32', port: null },
    { cidr: '::ffff:192.168.7.0/120', port: null },
  ]);

  it.each([
    ['10.1.2.3', 1, true],
    ['10.2.0.1', 1, false],
    ['::ffff:10.1.2.3', 1, true],
    ['::ffff:10.2.0.1', 1, false],
    ['127.0.0.1', 4319, true],
    ['::ffff:127.0.0.1', 4319, true],
    ['127.0.0.1', 4320, false],
    ['127.0.0.2', 4319, false],
    ['::1', 4319, false],
    ['fd00:1::5', 80, true],
    ['fd00:2::5', 80, false],
    ['192.168.7.9', 80, true],
    ['192.168.8.9', 80, false],
    ['64:ff9b::10.1.2.3', 80, false],
    ['8.8.8.8', 80, true],
  ])('%s on port %d: %s', (address, port, expected) => {
    expect(allows(address, port)).toBe(expected);
  });
});
