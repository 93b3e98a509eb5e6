import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';

/**
 * Posts signed requests like deliveries, with two signatures, but without database, address guard and
 * retries.
 */
export class BarePosts {
  private readonly agent: https.Agent;
  private readonly key: Buffer;
  private sent = 0;

  constructor(
    certificateFile: string,
    private readonly secret: string,
    private readonly inFlight: number,
  ) {
    this.key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    this.agent = new https.Agent({
      keepAlive: true,
      maxSockets: inFlight,
      ca: fs.readFileSync(certificateFile, 'utf8'),
    });
  }

  /** Sends `count` signed posts to the URLs in turn, with a limit of concurrent posts. */
  async send(urls: readonly string[], body: string, count: number): Promise<void> {
    let sent = 0;
    const worker = async () => {
      while (sent < count) await this.post(urls[sent++ % urls.length] ?? '', body);
    };
    await Promise.all(Array.from({ length: this.inFlight }, worker));
  }

  close(): void {
    this.agent.destroy();
  }

  private async post(url: string, body: string): Promise<void> {
    const timestamp = Math.floor(Date.now() / 1000);
    const id = `evt_${(this.sent += 1)}-4e27-4708-8cd0-ca49b4ce6711`;
    const digest = createHmac('sha256', this.secret).update(`${timestamp}.${body}`).digest('hex');
    const standard = createHmac('sha256', this.key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Counterfoil-Webhooks/1',
      'service-signature': `t=${timestamp},v1=${digest}`,
      'service-event-id': id,
      'service-event-type': 'document.created',
      'webhook-id': id,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': `v1,${standard}`,
    };
    const request = https.request(url, { method: 'POST', agent: this.agent, headers });
    request.end(body);
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    response.resume();
    await once(response, 'end');
  }
}
