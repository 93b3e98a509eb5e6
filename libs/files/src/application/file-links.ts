import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';

const PURPOSE = 'counterfoil/file-links';
/** The end of a link's life is rounded up by at most so much, and by a twelfth of it. */
const ROUNDING_MAX_S = 300;
const ROUNDING_SHARE = 12;
/** Links that are remembered at most, of 200 bytes or so. */
const GIVEN_MAX = 20_000;
const EXPIRES = /^[1-9]\d{0,11}$/;

/** What stands in the query of a link, as it came. */
export interface LinkQuery {
  readonly expires?: unknown;
  readonly signature?: unknown;
}

/**
 * Addresses that open one file without a key, for a while (decisions §4): `/files/:id/content` with `expires`, in
 * seconds since 1970, and `signature`, an HMAC-SHA256 of both as base64url, under a key derived from `SECRETS_KEY` for
 * this purpose alone. An id is of one company for ever, so that the link is bound to the company too.
 */
@Injectable()
export class FileLinks {
  private readonly key: KeyObject;
  private readonly base: string;
  /** Of the files whose links were asked for last: signing a page of them takes longer than anything else of it. */
  private given: { readonly expires: string; readonly urls: Map<number, string> } = {
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
   * An absolute address that opens the file from now on for as long as is configured, or a little longer: asked for
   * again soon, it is the same, so that what is read twice is equal and caches find it.
   */
  urlOf(fileId: number): string {
    const earliest = this.nowS() + this.lifetimeS;
    const expires = String(Math.ceil(earliest / this.roundingS) * this.roundingS);
    if (expires !== this.given.expires) this.given = { expires, urls: new Map() };
    const known = this.given.urls.get(fileId);
    if (known !== undefined) return known;
    const url = `${this.base}/files/${fileId}/content?expires=${expires}&signature=${this.sign(fileId, expires)}`;
    if (this.given.urls.size < GIVEN_MAX) this.given.urls.set(fileId, url);
    return url;
  }

  /** Whether a link opens this file now. In time that does not depend on the signature. */
  opens(fileId: number, { expires, signature }: LinkQuery): boolean {
    if (typeof expires !== 'string' || typeof signature !== 'string' || !EXPIRES.test(expires)) return false;
    return sameText(signature, this.sign(fileId, expires)) && this.nowS() < Number(expires);
  }

  private sign(fileId: number, expires: string): string {
    return createHmac('sha256', this.key).update(`${fileId}:${expires}`).digest('base64url');
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
