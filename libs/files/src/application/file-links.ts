import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../domain/file';

const PURPOSE = 'counterfoil/file-links';
/** The expiry of a link is rounded up by at most this, and by a twelfth of its life. */
const ROUNDING_MAX_S = 300;
const ROUNDING_SHARE = 12;
/** Links that are remembered at most, of 200 bytes or so. */
const GIVEN_MAX = 20_000;
const EXPIRES = /^[1-9]\d{0,11}$/;
/** Digits of a file's SHA-256 that its link names. */
const CONTENT_LENGTH = 16;

/** The query parameters of a link, as received. */
export interface LinkQuery {
  readonly content?: unknown;
  readonly expires?: unknown;
  readonly signature?: unknown;
}

/** The file that a link is bound to. */
export type LinkedFile = Pick<StoredFile, 'id' | 'sha256'>;

/** A valid link. It names the content of its file, since a restore gives ids out again, to other files. */
export interface FileLink {
  readonly id: number;
  isOf(file: Pick<StoredFile, 'sha256' | 'createdAt'>): boolean;
}

/**
 * Addresses that open one file without a key, for a while (contract §13.3): `/files/:id/content` with
 * `content`, the beginning of the file's SHA-256, `expires`, in seconds since 1970, and `signature`, an
 * HMAC-SHA256 of id and both as base64url, under a key derived from `SECRETS_KEY` for this purpose alone.
 */
@Injectable()
export class FileLinks {
  private readonly key: KeyObject;
  private readonly base: string;
  /** Of the files whose links were asked for last: signing a page of them takes longer than anything else of it. */
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
    this.key = createSecretKey(Buffer.from(hkdfSync('sha256', config.secretsKey, '', PURPOSE, 32)));
    this.base = config.publicUrl;
    this.lifetimeS = Math.ceil(config.files.linkTtlMs / 1000);
    this.roundingS = Math.min(ROUNDING_MAX_S, Math.ceil(this.lifetimeS / ROUNDING_SHARE));
  }

  /**
   * An absolute address that opens the file for the configured time, or a little longer: soon afterwards it is the
   * same, so that repeated reads are equal and caches find it.
   */
  urlOf({ id, sha256 }: LinkedFile): string {
    const earliest = this.nowS() + this.lifetimeS;
    const expires = String(Math.ceil(earliest / this.roundingS) * this.roundingS);
    if (expires !== this.given.expires) this.given = { expires, urls: new Map() };
    const content = sha256.slice(0, CONTENT_LENGTH);
    const named = `${id}:${content}`;
    const known = this.given.urls.get(named);
    if (known !== undefined) return known;
    const signature = this.sign(`${named}:${expires}`);
    const url = `${this.base}/files/${id}/content?content=${content}&expires=${expires}&signature=${signature}`;
    if (this.given.urls.size < GIVEN_MAX) this.given.urls.set(named, url);
    return url;
  }

  /** Null where the query is no link that opens anything now. In time that does not depend on the signature. */
  read(id: number, { content, expires, signature }: LinkQuery): FileLink | null {
    if (typeof expires !== 'string' || typeof signature !== 'string' || !EXPIRES.test(expires)) return null;
    const named = typeof content === 'string' ? `${id}:${content}` : String(id);
    if (!sameText(signature, this.sign(`${named}:${expires}`)) || this.nowS() >= Number(expires)) return null;
    if (typeof content === 'string') return { id, isOf: ({ sha256 }) => sha256.startsWith(content) };
    // A link of a version that named the id alone. It opens a file that is older than the link for certain.
    const givenMs = (Number(expires) - this.lifetimeS - this.roundingS) * 1000;
    return { id, isOf: ({ createdAt }) => createdAt.getTime() <= givenMs };
  }

  private sign(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }

  private nowS(): number {
    return this.clock.now().getTime() / 1000;
  }
}

/** Compares the texts, not the bytes decoded from them: several texts decode to the same bytes. */
function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
