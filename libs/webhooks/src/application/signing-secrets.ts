import { Config } from '@counterfoil/config';
import { SecretBox } from '@counterfoil/secrets';
import { Injectable } from '@nestjs/common';
import type { FormerSecret } from '../domain/endpoint';

/**
 * Maximum number of decrypted secrets in the cache. Without the cache, every delivery would decrypt its
 * endpoint's secret.
 */
const OPEN_MAX = 1_000;

/** Encrypts and decrypts the secrets of endpoints. */
@Injectable()
export class SigningSecrets extends SecretBox {
  private readonly opened = new Map<string, string>();

  constructor(config: Config) {
    super(config.secretsKeys, 'webhook-signing-secrets');
  }

  /** Returns the secrets that sign an endpoint's deliveries at a time, the current one first. */
  signing(
    { secretSealed, formerSecrets }: { secretSealed: string; formerSecrets: readonly FormerSecret[] },
    at: Date,
  ): string[] {
    const former = formerSecrets.filter(({ until }) => new Date(until) > at);
    return [secretSealed, ...former.map(({ sealed }) => sealed)].map((sealed) => this.openOnce(sealed));
  }

  private openOnce(sealed: string): string {
    const known = this.opened.get(sealed);
    if (known !== undefined) return known;
    if (this.opened.size >= OPEN_MAX) this.opened.clear();
    const secret = this.open(sealed);
    this.opened.set(sealed, secret);
    return secret;
  }
}
