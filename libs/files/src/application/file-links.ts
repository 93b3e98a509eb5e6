import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { type Sign, Signatures } from '@counterfoil/secrets';
import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../domain/file';

const PURPOSE = 'file-links';
/** The expiry of a link is rounded up to this interval, or to a twelfth of its lifetime if that is shorter. */
const ROUNDING_MAX_S = 300;
const ROUNDING_SHARE = 12;
/** The maximum of cached links, each of about 200 bytes. */
const GIVEN_MAX = 20_000;
const EXPIRES = /^[1-9]\d{0,11}$/;
/** The number of digits of the file's SHA-256 in a link. */
const CONTENT_LENGTH = 16;

/** The query parameters of a link, as received. */
export interface LinkQuery {
  readonly content?: unknown;
  readonly expires?: unknown;
  readonly signature?: unknown;
}

/** The file that a link is bound to. */
export type LinkedFile = Pick<StoredFile, 'id' | 'sha256'>;

/** A valid link. It includes a part of the content's hash, because after a restore other files get the same ids. */
export interface FileLink {
  readonly id: number;
  isOf(file: Pick<StoredFile, 'sha256' | 'createdAt'>): boolean;
}

/**
 * URLs that open one file without a key until they expire (contract §13.3): `/files/:id/content` with `content`, the
 * first digits of the file's SHA-256, `expires`, in seconds since 1970, and `signature`, an HMAC-SHA256 of the id and
 * both, as base64url. Its key is derived from `SECRETS_KEY` and used for nothing else; links
 * of every key in that list are valid.
 */
@Injectable()
export class FileLinks {
  private readonly signatures: Signatures;
  private readonly base: string;
  /** Cached links of the current expiry, because signing them would be the most expensive part of a list. */
  private given: { readonly expires: string; readonly urls: Map<string, string> } = {
    expires: '',
    urls: new Map(),
  };
  private readonly lifetimeS: number;
  private readonly roundingS: number;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.signatures = new Signatures(config.secretsKeys, PURPOSE);
    this.base = config.publicUrl;
    this.lifetimeS = Math.ceil(config.files.linkTtlMs / 1000);
    this.roundingS = Math.min(ROUNDING_MAX_S, Math.ceil(this.lifetimeS / ROUNDING_SHARE));
  }

  /**
   * Returns an absolute URL that opens the file for the configured time, or a little longer. Calls within the rounding
   * interval return the same URL, so that repeated reads are equal and caches work.
   */
  urlOf({ id, sha256 }: LinkedFile): string {
    const earliest = this.nowS() + this.lifetimeS;
    const expires = String(Math.ceil(earliest / this.roundingS) * this.roundingS);
    if (expires !== this.given.expires) this.given = { expires, urls: new Map() };
    const content = sha256.slice(0, CONTENT_LENGTH);
    const named = `${id}:${content}`;
    const known = this.given.urls.get(named);
    if (known !== undefined) return known;
    const signature = signatureOf(this.signatures.sign, `${named}:${expires}`);
    const url = `${this.base}/files/${id}/content?content=${content}&expires=${expires}&signature=${signature}`;
    if (this.given.urls.size < GIVEN_MAX) this.given.urls.set(named, url);
    return url;
  }

  /** Verifies a link in constant time. Returns null if it is not valid or has expired. */
  read(id: number, { content, expires, signature }: LinkQuery): FileLink | null {
    if (typeof expires !== 'string' || typeof signature !== 'string' || !EXPIRES.test(expires)) return null;
    const named = typeof content === 'string' ? `${id}:${content}` : String(id);
    const isSigned = this.signatures.verify(signature, (sign) => signatureOf(sign, `${named}:${expires}`));
    if (!isSigned || this.nowS() >= Number(expires)) return null;
    if (typeof content === 'string') return { id, isOf: ({ sha256 }) => sha256.startsWith(content) };
    // A link of an earlier version, with the id alone. It opens only a file that is certainly older than the link.
    const givenMs = (Number(expires) - this.lifetimeS - this.roundingS) * 1000;
    return { id, isOf: ({ createdAt }) => createdAt.getTime() <= givenMs };
  }

  private nowS(): number {
    return this.clock.now().getTime() / 1000;
  }
}

function signatureOf(sign: Sign, text: string): string {
  return sign(text).toString('base64url');
}
