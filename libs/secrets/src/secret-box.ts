import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts small secrets for storage with AES-256-GCM. The key is derived from `SECRETS_KEY` for one purpose:
 * a secret sealed for one purpose cannot be opened for another, and an altered one cannot be opened at all.
 */
export class SecretBox {
  private readonly key: Buffer;

  constructor(secretsKey: string, purpose: string) {
    this.key = Buffer.from(hkdfSync('sha256', secretsKey, '', `counterfoil/${purpose}`, 32));
  }

  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce);
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
  }

  /** @throws Error if the secret was sealed with another key or was altered */
  open(sealed: string): string {
    const [version, payload] = sealed.split('.');
    if (version !== VERSION || payload === undefined) throw new Error('not a sealed secret');
    const bytes = Buffer.from(payload, 'base64url');
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }
}
