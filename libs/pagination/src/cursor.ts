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
 * Opaque cursors (spec: Incremental sync; decisions §9): where a reader stands in one listing, as text that only this
 * service can issue. A cursor is base64url of the version, an HMAC-SHA256 and the position. The HMAC, under a key
 * derived from `SECRETS_KEY` for this purpose alone, covers version, scope and position, so that a cursor reads only
 * where it was issued. The position is signed, not encrypted: whoever holds the cursor may read it.
 */
export class Cursors {
  private readonly key: Buffer;

  constructor(secretsKey: string) {
    this.key = Buffer.from(hkdfSync('sha256', secretsKey, '', PURPOSE, 32));
  }

  /**
   * `scope` names all that the cursor must not leave: company, listing and filters (`documents:7:type=QUOTE`). It is
   * not in the cursor. `position` is text that the listing reads back unchanged; never made from a `Date`, which would
   * cut the database's microseconds. The cursor is `[A-Za-z0-9_-]+`, 44 characters and 4 for each 3 bytes of position.
   */
  issue(scope: string, position: string): string {
    return this.signed(scope, Buffer.from(JSON.stringify(position)));
  }

  /**
   * The position of a cursor that was issued for this scope.
   *
   * @throws AppError `INVALID_CURSOR` for everything else, the smallest change of a cursor included
   */
  read(scope: string, cursor: unknown): string {
    if (typeof cursor !== 'string') throw invalidCursor();
    const position = Buffer.from(cursor, 'base64url').subarray(VERSION_BYTES + SIGNATURE_BYTES);
    // The whole text is compared, not the signature decoded from it: several texts decode to the same bytes.
    if (!sameText(cursor, this.signed(scope, position))) throw invalidCursor();
    return JSON.parse(position.toString()) as string;
  }

  private signed(scope: string, position: Buffer): string {
    const version = Buffer.of(VERSION);
    // JSON tells every two texts apart, lone surrogates included, and ends where its closing quote stands: what is
    // moved from the scope's end to the position's start is another message.
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

/** In time that depends on the lengths alone. */
function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
