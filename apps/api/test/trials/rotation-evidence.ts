import { DEMO_KEY } from '@counterfoil/test-harness';
import { verifyWebhook } from '@counterfoil/webhook-verifier';
import { StreamReader } from '../stream-reader';
import type { RotationSite } from './rotation-site';

const CARD = { provider: 'sandbox', providerToken: 'tok_approved' };

interface Batch {
  readonly nextCursor?: string | null;
  readonly code?: string;
}

/** A cursor, a link, a stream and a card that the service issued or stored with the key that is replaced. */
export class IssuedBefore {
  private cursorRenewed = '';
  private linkRenewed = '';

  private constructor(
    private readonly site: RotationSite,
    private readonly issued: {
      readonly cursor: string;
      readonly link: string;
      readonly fileId: number;
      readonly streamSecret: string;
      readonly streamId: string;
      readonly card: number;
    },
  ) {}

  static async collect(site: RotationSite): Promise<IssuedBefore> {
    const fileId = await site.upload('receipt');
    const client = await site.call<{ clientId: number }>('POST', '/clients/create', {
      name: 'Acme',
      taxId: '514000000',
      type: 'COMPANY',
    });
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 10 }];
    await site.call('POST', '/documents/create/tax-invoice', { entityId: client.body.clientId, items });
    const stream = await StreamReader.connect(site.url, undefined, DEMO_KEY);
    const { secret, cursor } = stream.start;
    stream.close();
    const card = await site.call<{ tokenId: number }>('POST', '/gateway/tokens', CARD);
    const feed = await site.call<Batch>('GET', '/documents?updatedSince=2026-01-01T00:00:00Z');
    return new IssuedBefore(site, {
      cursor: cursorOf(feed.body),
      link: await linkOf(site, fileId),
      fileId,
      streamSecret: secret,
      streamId: cursor,
      card: card.body.tokenId,
    });
  }

  /** The answers of the service to all of them. Keeps the cursor and the link that it issues now. */
  async state(): Promise<object> {
    const { cursor, link, fileId } = this.issued;
    const feed = await this.feed(cursor);
    this.cursorRenewed = cursorOf(feed.body);
    this.linkRenewed = await linkOf(this.site, fileId);
    return {
      cursor: feed.status,
      link: await this.site.open(link),
      stream: await this.stream(),
      charge: await this.charge(),
    };
  }

  /** The same when the key is gone, and what became of cursor and link that were issued with the new one. */
  async stateInTheEnd(): Promise<object> {
    const feed = await this.feed(this.issued.cursor);
    return {
      cursor: feed.body.code,
      link: await this.site.open(this.issued.link),
      stream: await this.stream(),
      charge: await this.charge(),
      cursorRenewed: (await this.feed(this.cursorRenewed)).status,
      linkRenewed: await this.site.open(this.linkRenewed),
    };
  }

  private feed(cursor: string) {
    return this.site.call<Batch>('GET', `/documents?cursor=${encodeURIComponent(cursor)}`);
  }

  /** Resumes the stream, and verifies an event with the secret that it announced before. */
  private async stream(): Promise<string> {
    const stream = await StreamReader.connect(this.site.url, this.issued.streamId, DEMO_KEY);
    try {
      if (stream.status !== 200) return (JSON.parse(stream.text) as { code: string }).code;
      await stream.receives(1);
      const [event] = stream.deliveries;
      if (!event) return 'no event';
      verifyWebhook({ headers: event.headers, body: event.body, secret: this.issued.streamSecret });
      return 'verified';
    } finally {
      stream.close();
    }
  }

  private async charge(): Promise<string> {
    const charged = await this.site.call<{ status: string }>('POST', '/gateway/charges', {
      tokenId: this.issued.card,
      amount: 10,
      currency: 'ILS',
    });
    return charged.body.status;
  }
}

function cursorOf({ nextCursor }: Batch): string {
  if (!nextCursor) throw new Error('the feed issued no cursor');
  return nextCursor;
}

async function linkOf(site: RotationSite, fileId: number): Promise<string> {
  const { body } = await site.call<{ data: { id: number; remoteUrl: string }[] }>('GET', '/files');
  const file = body.data.find(({ id }) => id === fileId);
  if (!file) throw new Error('the file is not listed');
  return file.remoteUrl;
}
