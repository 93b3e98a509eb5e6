import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Config } from '@counterfoil/config';
import { assertNoTransaction, ConcurrencyLimit, KeyedSemaphore } from '@counterfoil/kernel';
import { FileStore, type OpenedObject } from '../../application/ports/file-store';
import { throwFaultOfDisk } from '../disk-errors';
import { UploadDeadline } from './upload-deadline';
import { withIdleTimeout } from './idle-timeout-stream';
import { connect, type S3Clients } from './s3-clients';
import { faultOf, isMissingObject, isRefusal } from './s3-faults';
import { S3_LIMITS, type S3Limits } from './s3-limits';
import { contentOf, openSpool, usableBytes } from './spool';

/** Objects that are sent to the store at the same time. Others wait on the disk. */
const PUTS_AT_ONCE = 16;
/** Those of one company, so that a slow store leaves slots to the others. */
const PUTS_OF_COMPANY = 8;
const PUT_WAIT_MAX_MS = 60_000;
/** Attempts to send one object. The SDK itself sends a stream only once. */
const PUT_ATTEMPTS = 3;
const REMOVALS_AT_ONCE = 8;
const REMOVAL_WAIT_MAX_MS = 10_000;
const BUSY = 'the file storage is too busy; try again';

/**
 * Stores files as objects of one bucket. The operator configures the endpoint, which may be a private address, so
 * requests do not use the guarded client. That is for addresses that callers choose.
 */
export class S3FileStore extends FileStore {
  private connecting: Promise<S3Clients> | null = null;
  private readonly limits: S3Limits;
  private readonly spooled: ConcurrencyLimit;
  private readonly puts = new KeyedSemaphore<number>({
    openMax: PUTS_OF_COMPANY,
    openInAllMax: PUTS_AT_ONCE,
    waitMaxMs: PUT_WAIT_MAX_MS,
    message: BUSY,
    reason: 'storage',
  });
  private readonly removals = new KeyedSemaphore<'remove'>({
    openMax: REMOVALS_AT_ONCE,
    waitMaxMs: REMOVAL_WAIT_MAX_MS,
    message: BUSY,
    reason: 'storage',
  });

  constructor(
    private readonly config: S3Config,
    limits: Partial<S3Limits> = {},
  ) {
    super();
    this.limits = { ...S3_LIMITS, spoolBytes: usableBytes(), ...limits };
    const { spoolBytes } = this.limits;
    this.spooled = new ConcurrencyLimit({
      ...{ total: spoolBytes, perCompany: spoolBytes, dynamicThreshold: true },
      what: 'uploads',
    });
  }

  /** Spools the content to a temporary file first, because S3 needs the length of an object before its bytes. */
  override async put(companyId: number, key: string, content: AsyncIterable<Buffer>): Promise<void> {
    assertNoTransaction('storing a file');
    const spool = await openSpool().catch(throwFaultOfDisk);
    const held: (() => void)[] = [];
    try {
      for await (const piece of content) {
        held.push(this.spooled.take(companyId, piece.length));
        await spool.writeFile(piece).catch(throwFaultOfDisk);
      }
      await this.puts.run(companyId, () => this.send(key, spool));
    } finally {
      await spool.close();
      for (const give of held) give();
    }
  }

  override async open(key: string): Promise<OpenedObject | null> {
    const { sdk, reader } = await this.connected();
    try {
      const object = await reader.send(new sdk.GetObjectCommand(this.placeOf(key)));
      const content = withIdleTimeout(bodyOf(object), this.limits.silenceMaxMs);
      return { content, size: object.ContentLength ?? 0 };
    } catch (error) {
      if (isMissingObject(error)) return null;
      throw faultOf(error);
    }
  }

  override async remove(key: string): Promise<void> {
    assertNoTransaction('removing a file');
    const { sdk, writer } = await this.connected();
    await this.removals.run('remove', async () => {
      const abortSignal = AbortSignal.timeout(this.limits.removeMaxMs);
      const removing = writer.send(new sdk.DeleteObjectCommand(this.placeOf(key)), { abortSignal });
      await removing.catch((error: unknown) => {
        throw faultOf(error);
      });
    });
  }

  private async send(key: string, spool: FileHandle): Promise<void> {
    const { size } = await spool.stat();
    const time = new UploadDeadline(this.limits);
    try {
      for (let attempt = 1; ; attempt++) {
        const fault = await this.attempt(key, { spool, size }, time);
        if (fault === null) return;
        const isFinal = attempt === PUT_ATTEMPTS || isRefusal(fault);
        if (isFinal || !(await this.pause(attempt, time))) throw faultOf(fault);
      }
    } finally {
      time.end();
    }
  }

  /**
   * Pauses twice as long each time, with jitter for uploads that failed together.
   *
   * @returns whether there is time left for another attempt
   */
  private async pause(attempt: number, { signal }: UploadDeadline): Promise<boolean> {
    const longest = this.limits.pauseMs * 2 ** (attempt - 1);
    await sleep(longest * (0.5 + Math.random() / 2), null, { signal }).catch(() => undefined);
    return !signal.aborted;
  }

  /** Returns the error, or null. */
  private async attempt(
    key: string,
    { spool, size }: { readonly spool: FileHandle; readonly size: number },
    time: UploadDeadline,
  ): Promise<unknown> {
    const { sdk, writer } = await this.connected();
    const body = Readable.from(contentOf(spool, time), { objectMode: false });
    // If the spool cannot be read, the request ends when the store gets no more bytes in time.
    body.on('error', () => undefined);
    try {
      const object = { ...this.placeOf(key), Body: body, ContentLength: size };
      await writer.send(new sdk.PutObjectCommand(object), { abortSignal: time.signal });
      return null;
    } catch (error) {
      return error;
    } finally {
      body.destroy();
    }
  }

  private placeOf(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.config.bucket, Key: this.config.prefix + key };
  }

  /** Loads the SDK with the first file, because it would delay the start. */
  private connected(): Promise<S3Clients> {
    const limits = { ...this.limits, writesAtOnce: PUTS_AT_ONCE + REMOVALS_AT_ONCE };
    this.connecting ??= import('@aws-sdk/client-s3').then((sdk) => connect(sdk, this.config, limits));
    return this.connecting;
  }
}

function bodyOf({ Body: body }: GetObjectCommandOutput): Readable {
  if (!body || !('pipe' in body)) throw new Error('the store answered without the bytes of the object');
  return body;
}
