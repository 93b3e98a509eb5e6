import { Config } from '@counterfoil/config';
import { type Sign, Signatures } from '@counterfoil/secrets';
import { Injectable } from '@nestjs/common';

const PURPOSE = 'document-shares';
const VERSION = 1;
const COMPANY_AT = 1;
const COMPANY_BYTES = 6;
const ID_AT = COMPANY_AT + COMPANY_BYTES;
const ID_BYTES = 16;
const NAMED_BYTES = ID_AT + ID_BYTES;

/** The share that a link opens. */
export interface ShareKey {
  readonly companyId: number;
  /** A random UUID: after a restore of the database, another share may get the same numeric id. */
  readonly publicId: string;
}

/**
 * Links to shared documents: `/d/` and a token, which is base64url of a version, the company, the public id of the share
 * and their HMAC-SHA256. The database contains no signature, so nobody can make a link of its rows without
 * `SECRETS_KEY`. Links of every key in that list are valid.
 */
@Injectable()
export class ShareLinks {
  private readonly signatures: Signatures;
  private readonly base: string;

  constructor({ secretsKeys, publicUrl }: Config) {
    this.signatures = new Signatures(secretsKeys, PURPOSE);
    this.base = publicUrl;
  }

  urlOf(key: ShareKey): string {
    return `${this.base}/d/${tokenBy(this.signatures.sign, namedBytes(key))}`;
  }

  /**
   * Verifies a token in constant time, and without the database: whoever guesses costs the same, whatever they guess.
   *
   * @returns null for anything that this service has not signed
   */
  read(token: string): ShareKey | null {
    const named = Buffer.from(token, 'base64url').subarray(0, NAMED_BYTES);
    if (!this.signatures.verify(token, (sign) => tokenBy(sign, named))) return null;
    return { companyId: named.readUIntBE(COMPANY_AT, COMPANY_BYTES), publicId: uuidOf(named) };
  }
}

function namedBytes({ companyId, publicId }: ShareKey): Buffer {
  const named = Buffer.alloc(NAMED_BYTES);
  named.writeUInt8(VERSION);
  named.writeUIntBE(companyId, COMPANY_AT, COMPANY_BYTES);
  named.write(publicId.replaceAll('-', ''), ID_AT, 'hex');
  return named;
}

function tokenBy(sign: Sign, named: Buffer): string {
  return Buffer.concat([named, sign(named)]).toString('base64url');
}

function uuidOf(named: Buffer): string {
  const digits = named.toString('hex', ID_AT, NAMED_BYTES);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
