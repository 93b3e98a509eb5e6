import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { until } from '@counterfoil/test-harness';

/**
 * Hosts as written in a URL. If they were accepted, all except those of other networks would lead to this
 * machine.
 */
export const FORBIDDEN_HOSTS = [
  // separators, bases and numbers of parts that inet_aton accepts
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '2130706433', '017700000001'],
  ...['0x7f000001', '0X7F000001', '0x7f.1', '0x7f.0x0.0x0.0x1', '0177.0.0.1', '0177.0.0.01', '0x7f.0.0.01'],
  ...['127.0.0.1.', '2130706433.', '0x7f.1.', '00000177.00000000.00000000.00000001'],
  ...['0', '0.0.0.0', '0x0', '00.00.00.00', '0.0.0.0.', '0.1.2.3'],
  // other characters that are normalised to these
  ...[
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '𝟏𝟐𝟕.0.0.1',
    '１２７。0。0。１',
  ],
  ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '127.0.0.1%2e', '%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1'],
  // names of this machine
  ...['localhost', 'LOCALHOST', 'LocalHost', 'localhost.', 'localhost%2e', 'loc%61lhost'],
  ...['ⓛocalhost', 'ｌｏｃａｌｈｏｓｔ', 'local\u00adhost', '𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭'],
  // IPv6, and IPv4 within it: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[0::1]'],
  ...['[::ffff:127.0.0.1]', '[::FFFF:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]'],
  ...['[::ffff:0.0.0.0]', '[::ffff:127.0.0.2]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]'],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:7f00:1::1]',
  ],
  ...['[2001:0:7f00:1::]', '[2001::80ff:fffe]', '[fe80::5efe:127.0.0.1]', '[2a00:1450::5efe:127.0.0.1]'],
  // zones
  ...['[::1%25lo]', '[::1%lo]', '[fe80::1%25lo]', '[fe80::1]'],
  // other networks: private, shared, metadata, link-local, benchmarking, multicast, reserved
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '100.127.255.254'],
  ...['169.254.169.254', '169.254.170.2', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
  ...['168.63.129.16', '192.0.0.192', '100.100.100.200', '[fd00:ec2::254]', '[fd20:ce::254]'],
  ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::1]'],
  ...['198.18.0.1', '203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['[fc00::1]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '[5f00::1]'],
  // credentials before the host
  ...['user@127.0.0.1', 'user:secret@127.0.0.1', '@127.0.0.1', ':@127.0.0.1', 'example.com@127.0.0.1'],
  ...['example.com%40127.0.0.1', 'example.com:443@localhost', 'a@b@127.0.0.1'],
];

/** URLs in which the host is not where it appears to be. */
export const MISLEADING_URLS = (port: number): string[] => [
  `HTTPS://127.0.0.1:${port}/`,
  `https:127.0.0.1:${port}/`,
  `https:/127.0.0.1:${port}/`,
  `https:///127.0.0.1:${port}/`,
  `https:\\\\127.0.0.1:${port}\\`,
  `https://127.0.0.1:${port}\\@example.com/`,
  `https://127.0.0.1:${port}#@example.com/`,
  `https://127.0.0.1:${port}?@example.com/`,
  `  https://127.0.0.1:${port}/  `,
  `ht\ttps://127.0.\n0.1:${port}/`,
  `https://127.0.0.1:0000${port}/`,
  `http://127.0.0.1:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `file://127.0.0.1:${port}/etc/passwd`,
];

/** Listens on every address of this machine, and counts connections. */
export class Trap {
  private caught = 0;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.caught += 1;
      socket.destroy();
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Returns the number of connections since the last call. */
  takeCaught(): number {
    const { caught } = this;
    this.caught = 0;
    return caught;
  }

  async close(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Starts a trap, and checks that it catches a connection. */
export async function setTrap(): Promise<Trap> {
  const server = createServer();
  const trap = new Trap(server);
  // One socket for both families. Without IPv6, only IPv4 is used.
  server.once('error', () => server.listen(0, '0.0.0.0'));
  server.listen(0, '::');
  await once(server, 'listening');
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const socket = connect(trap.port, host).on('error', () => undefined);
    await until('the trap to work', () => trap.takeCaught() === 1);
    socket.destroy();
  }
  return trap;
}
