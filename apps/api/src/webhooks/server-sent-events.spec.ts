import { ServerSentEvents } from './server-sent-events';

const KIB = 1_024;
const delivery = { cursor: 'c', headers: {}, body: 'x'.repeat(KIB) };

/** Sends events until the buffer is full. @returns how many */
function fill(stream: ServerSentEvents): number {
  let count = 0;
  for (; stream.hasRoom(); count += 1) stream.deliver(delivery);
  return count;
}

describe('the events of a stream', () => {
  it('are kept up to 256 KiB, and accepted again when half of them were read', () => {
    const stream = new ServerSentEvents();
    const most = fill(stream);
    expect(stream.readableLength).toBeGreaterThanOrEqual(256 * KIB);
    expect(stream.readableLength).toBeLessThan(258 * KIB);
    stream.read(100 * KIB);
    expect(stream.hasRoom()).toBe(false);
    stream.read(60 * KIB);
    expect(stream.hasRoom()).toBe(true);
    expect(fill(stream)).toBeGreaterThan(most / 2);
  });

  it('are messages with an id, and a heartbeat renews the id without a message', () => {
    const stream = new ServerSentEvents();
    stream.open({ secret: 's', cursor: 'a' });
    stream.deliver({ cursor: 'b', headers: { 'webhook-id': 'evt_1' }, body: '{}\n\nid: forged' });
    stream.beat('c');
    stream.end();
    stream.end();
    stream.beat('d');
    expect(String(stream.read())).toBe(
      [
        'retry: 1000\nid: a\nevent: open\ndata: {"secret":"s","cursor":"a"}',
        'id: b\nevent: delivery\ndata: {"headers":{"webhook-id":"evt_1"},"body":"{}\\n\\nid: forged"}',
        ': heartbeat\nid: c',
        '',
      ].join('\n\n'),
    );
  });
});
