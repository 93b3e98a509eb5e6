import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { startTcpProxy, type TcpProxy } from './tcp-proxy';
import { until } from './until';

describe('a proxy after a silence', () => {
  let server: Server;
  let proxy: TcpProxy;
  let client: Socket;
  let received: string;
  let echoed: string;

  beforeEach(async () => {
    received = echoed = '';
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data: Buffer) => {
        received += data.toString();
        socket.write(data);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await startTcpProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    client.on('error', () => undefined);
    client.on('data', (data: Buffer) => (echoed += data.toString()));
    client.write('a');
    await until('the first byte', () => echoed === 'a');
  });
  afterEach(async () => {
    client.destroy();
    await proxy.close();
    server.close();
  });

  it('forwards data once that was sent during and after it', async () => {
    for (const sent of ['b', 'c']) {
      const before = received;
      proxy.silence();
      client.write(sent);
      expect(received).toBe(before);
      proxy.speak();
      await until('it to arrive', () => echoed.endsWith(sent));
    }
    client.write('d');
    await until('the last byte', () => echoed.endsWith('d'));
    expect([received, echoed]).toEqual(['abcd', 'abcd']);
  });

  it('forwards nothing on a connection that it has dropped', async () => {
    proxy.silence();
    proxy.speak(true);
    client.write('b');
    const other = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    other.write('c');
    await until('the new connection to be served', () => received.endsWith('c'));
    other.destroy();
    expect([received, echoed]).toEqual(['ac', 'a']);
  });
});
