import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKey, type SecretsKeys } from './secrets-keys';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The text of a bare key has no id, as all texts of earlier versions. */
const WITHOUT_ID = /^v1\.([A-Za-z0-9_-]+)$/;
const WITH_ID = /^v2\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

interface BoxKey {
  readonly id: string | null;
  readonly key: KeyObject;
}

/**
 * Encrypts small secrets for storage with AES-256-GCM. The keys are derived from `SECRETS_KEY` for one purpose:
 * a secret sealed for one purpose cannot be opened for another, and an altered one cannot be opened at all.
 */
export class SecretBox {
  private readonly first: BoxKey;
  private readonly keys: readonly BoxKey[];

  constructor(keys: SecretsKeys, purpose: string) {
    const derived = keys.map((key) => ({ id: key.id, key: deriveKey(key, purpose) }));
    this.keys = derived;
    this.first = derived[0] as BoxKey;
  }

  /** Seals with the first key. */
  seal(text: string): string {
    const { id, key } = this.first;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce);
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const payload = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    return `${prefixOf(id)}${payload}`;
  }

  /** @throws Error if no key of `SECRETS_KEY` has sealed the secret, or if it was altered */
  open(sealed: string): string {
    const { id, payload } = partsOf(sealed);
    // The id only says which key to try first, because an operator may have renamed the keys.
    const likely = this.keys.filter((key) => key.id === id);
    const others = this.keys.filter((key) => key.id !== id);
    for (const { key } of [...likely, ...others]) {
      const text = opened(payload, key);
      if (text !== null) return text;
    }
    const sealedWith = id === null ? '' : ` (it was sealed with the key ${id})`;
    throw new Error(`no key of SECRETS_KEY opens a stored secret${sealedWith}`);
  }

  /**
   * Seals a secret with the first key.
   *
   * @returns null if the first key has sealed it already, and opens it
   * @throws Error if no key of `SECRETS_KEY` has sealed the secret, or if it was altered
   */
  reseal(sealed: string): string | null {
    const { id, payload } = partsOf(sealed);
    const isCurrent = id === this.first.id && opened(payload, this.first.key) !== null;
    return isCurrent ? null : this.seal(this.open(sealed));
  }
}

function prefixOf(id: string | null): string {
  return id === null ? 'v1.' : `v2.${id}.`;
}

function partsOf(sealed: string): { readonly id: string | null; readonly payload: string } {
  const bare = WITHOUT_ID.exec(sealed);
  if (bare) return { id: null, payload: bare[1] ?? '' };
  const [, id, payload] = WITH_ID.exec(sealed) ?? [];
  if (id === undefined || payload === undefined) throw new Error('not a sealed secret');
  return { id, payload };
}

/** Returns null if the key does not open the payload: AES-GCM detects another key and any change. */
function opened(payload: string, key: KeyObject): string | null {
  const bytes = Buffer.from(payload, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8');
  try {
    return text + decipher.final('utf8');
  } catch {
    return null;
  }
}
