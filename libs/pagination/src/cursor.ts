import { AppError } from '@counterfoil/kernel';
import { type SecretsKeys, type Sign, Signatures } from '@counterfoil/secrets';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    INVALID_CURSOR: true;
  }
}

const VERSION = 1;
const VERSION_BYTES = 1;
const SIGNATURE_BYTES = 32;
const PURPOSE = 'cursors';

/**
 * Opaque cursors (contract §10.3): a position in a list, as text that only this service can issue. A cursor
 * is base64url of the version, an HMAC-SHA256 and the position. Its key is derived from
 * `SECRETS_KEY` for this purpose alone; the first key signs, and all of the list verify. The HMAC covers version, scope and position, so a cursor is valid
 * only where it was issued. The position is signed but not encrypted: clients can read it.
 */
export class Cursors {
  private readonly signatures: Signatures;

  constructor(secretsKeys: SecretsKeys) {
    this.signatures = new Signatures(secretsKeys, PURPOSE);
  }

  /**
   * Issues a cursor: `[A-Za-z0-9_-]+`, 44 characters plus 4 for each 3 bytes of position.
   *
   * @param scope everything that the cursor is bound to: company, list and filters
   *   (`documents:7:type=QUOTE`). The cursor does not contain it
   * @param position any text; `read` returns it unchanged. Do not derive it from a `Date`, which loses the
   *   microseconds of the database
   */
  issue(scope: string, position: string): string {
    return signedBy(this.signatures.sign, scope, Buffer.from(JSON.stringify(position)));
  }

  /**
   * Returns a cursor of the same position that the first key has signed: the same text, unless `SECRETS_KEY` was
   * rotated since it was issued.
   *
   * @throws AppError `INVALID_CURSOR` as `read` does
   */
  renew(scope: string, cursor: unknown): string {
    return this.issue(scope, this.read(scope, cursor));
  }

  /**
   * Returns the position of a cursor that was issued for this scope.
   *
   * @throws AppError `INVALID_CURSOR` for anything else, including any altered cursor
   */
  read(scope: string, cursor: unknown): string {
    if (typeof cursor !== 'string') throw invalidCursor();
    const position = Buffer.from(cursor, 'base64url').subarray(VERSION_BYTES + SIGNATURE_BYTES);
    if (!this.signatures.verify(cursor, (sign) => signedBy(sign, scope, position))) throw invalidCursor();
    return JSON.parse(position.toString()) as string;
  }
}

function signedBy(sign: Sign, scope: string, position: Buffer): string {
  const version = Buffer.of(VERSION);
  // JSON quoting is unambiguous, also for lone surrogates, so characters cannot move from the end of the scope to
  // the start of the position.
  const signature = sign(version, JSON.stringify(scope), position);
  return Buffer.concat([version, signature, position]).toString('base64url');
}

function invalidCursor(): AppError {
  return new AppError(
    'INVALID_CURSOR',
    'cursor was not issued for this listing: send nextCursor of the previous batch, unchanged and with the same filters',
  );
}
