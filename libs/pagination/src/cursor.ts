import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { AppError } from '@counterfoil/kernel';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    INVALID_CURSOR: true;
  }
}

const VERSION = 1;
const VERSION_BYTES = 1;
const SIGNATURE_BYTES = 32;
const PURPOSE = 'counterfoil/cursors';

/**
 * Opaque cursors (contract §10.3): a position in a list, as text that only this service can issue. A cursor
 * is base64url of the version, an HMAC-SHA256 and the position. The key of the HMAC is derived from
 * `SECRETS_KEY` for this purpose alone. The HMAC covers version, scope and position, so a cursor is valid
 * only where it was issued. The position is signed but not encrypted: clients can read it.
 */
export class Cursors {
  private readonly key: Buffer;

  constructor(secretsKey: string) {
    this.key = Buffer.from(hkdfSync('sha256', secretsKey, '', PURPOSE, 32));
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
    return this.signed(scope, Buffer.from(JSON.stringify(position)));
  }

  /**
   * Returns the position of a cursor that was issued for this scope.
   *
   * @throws AppError `INVALID_CURSOR` for anything else, including any altered cursor
   */
  read(scope: string, cursor: unknown): string {
    if (typeof cursor !== 'string') throw invalidCursor();
    const position = Buffer.from(cursor, 'base64url').subarray(VERSION_BYTES + SIGNATURE_BYTES);
    // Compare the whole text, not the decoded signature: several texts decode to the same bytes.
    if (!sameText(cursor, this.signed(scope, position))) throw invalidCursor();
    return JSON.parse(position.toString()) as string;
  }

  private signed(scope: string, position: Buffer): string {
    const version = Buffer.of(VERSION);
    // JSON quoting is unambiguous, also for lone surrogates, so characters cannot move from the end of the
    // scope to the start of the position.
    const signature = createHmac('sha256', this.key)
      .update(version)
      .update(JSON.stringify(scope))
      .update(position)
      .digest();
    return Buffer.concat([version, signature, position]).toString('base64url');
  }
}

function invalidCursor(): AppError {
  return new AppError(
    'INVALID_CURSOR',
    'cursor was not issued for this listing: send nextCursor of the previous batch, unchanged and with the same filters',
  );
}

/** Takes constant time for texts of equal length. */
function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
