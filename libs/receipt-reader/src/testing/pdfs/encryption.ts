import { createCipheriv, createHash } from 'node:crypto';

export type EncryptionKind = 'rc4-40' | 'rc4-128' | 'aes-128' | 'aes-256';

export interface Encryption {
  /** The dictionary of the security handler. */
  readonly dictionary: string;
  /** Encrypts the data of the stream with this object number. */
  encrypt(data: Buffer, objectNumber: number): Buffer;
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const PERMISSIONS = -44;

/** The standard security handler. With an empty user password any reader can open the document. */
export function encryptionOf(kind: EncryptionKind, id: Buffer, userPassword = ''): Encryption {
  return kind === 'aes-256' ? aes256(userPassword) : legacy(kind, id, userPassword);
}

function legacy(kind: EncryptionKind, id: Buffer, userPassword: string): Encryption {
  const keyBytes = kind === 'rc4-40' ? 5 : 16;
  const revision = { 'rc4-40': 2, 'rc4-128': 3, 'aes-128': 4, 'aes-256': 6 }[kind];
  const rounds = revision === 2 ? 1 : 20;
  const user = padded(userPassword);
  const ownerKey = md5(padded('owner'), revision > 2 ? 50 : 0).subarray(0, keyBytes);
  const owner = repeatedRc4(ownerKey, user, rounds);
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(PERMISSIONS);
  const key = md5(Buffer.concat([user, owner, flags, id]), revision > 2 ? 50 : 0, keyBytes).subarray(
    0,
    keyBytes,
  );
  const check =
    revision === 2
      ? rc4(key, PADDING)
      : Buffer.concat([repeatedRc4(key, md5(Buffer.concat([PADDING, id])), rounds), Buffer.alloc(16)]);
  const version = {
    'rc4-40': '/V 1 /R 2',
    'rc4-128': '/V 2 /R 3 /Length 128',
    'aes-128':
      '/V 4 /R 4 /Length 128 /CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >> /StmF /StdCF /StrF /StdCF',
    'aes-256': '',
  }[kind];
  return {
    dictionary: `<< /Filter /Standard ${version} /P ${PERMISSIONS} /O ${hex(owner)} /U ${hex(check)} >>`,
    encrypt: (data, objectNumber) => {
      const ofObject = Buffer.from([objectNumber, objectNumber >> 8, objectNumber >> 16, 0, 0]);
      const salt = Buffer.from(kind === 'aes-128' ? 'sAlT' : '');
      const objectKey = md5(Buffer.concat([key, ofObject, salt])).subarray(0, Math.min(16, keyBytes + 5));
      return kind === 'aes-128' ? aesCbc(objectKey, data) : rc4(objectKey, data);
    },
  };
}

function aes256(userPassword: string): Encryption {
  const key = createHash('sha256').update('a key that is the same in each run').digest();
  const password = Buffer.from(userPassword);
  const zero = Buffer.alloc(16);
  const sealed = (secret: Buffer, salts: string, more: Buffer) => {
    const [check, wrap] = [Buffer.from(salts.slice(0, 8)), Buffer.from(salts.slice(8))];
    const hash = Buffer.concat([hash2B(secret, check, more), check, wrap]);
    const cipher = createCipheriv('aes-256-cbc', hash2B(secret, wrap, more), zero).setAutoPadding(false);
    return { hash, wrapped: Buffer.concat([cipher.update(key), cipher.final()]) };
  };
  const user = sealed(password, 'usersaltuserwrap', Buffer.alloc(0));
  const owner = sealed(Buffer.from('owner'), 'ownrsaltownrwrap', user.hash);
  const flags = Buffer.alloc(16, 0xff);
  flags.writeInt32LE(PERMISSIONS);
  flags.write('Tadb', 8, 'latin1');
  const ecb = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const perms = Buffer.concat([ecb.update(flags), ecb.final()]);
  return {
    dictionary:
      '<< /Filter /Standard /V 5 /R 6 /Length 256 /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> ' +
      `/StmF /StdCF /StrF /StdCF /P ${PERMISSIONS} /O ${hex(owner.hash)} /OE ${hex(owner.wrapped)} ` +
      `/U ${hex(user.hash)} /UE ${hex(user.wrapped)} /Perms ${hex(perms)} >>`,
    encrypt: (data) => aesCbc(key, data),
  };
}

/** Algorithm 2.B of ISO 32000-2. */
function hash2B(password: Buffer, salt: Buffer, more: Buffer): Buffer {
  let hash = createHash('sha256')
    .update(Buffer.concat([password, salt, more]))
    .digest();
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const block = Buffer.concat([password, hash, more]);
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => block));
    const cipher = createCipheriv('aes-128-cbc', hash.subarray(0, 16), hash.subarray(16, 32)).setAutoPadding(
      false,
    );
    const encrypted = Buffer.concat([cipher.update(repeated), cipher.final()]);
    const rest = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    hash = createHash(['sha256', 'sha384', 'sha512'][rest]!).update(encrypted).digest();
    last = encrypted.at(-1)!;
  }
  return hash.subarray(0, 32);
}

function aesCbc(key: Buffer, data: Buffer): Buffer {
  const vector = createHash('md5').update(data).digest();
  const cipher = createCipheriv(key.length === 16 ? 'aes-128-cbc' : 'aes-256-cbc', key, vector);
  return Buffer.concat([vector, cipher.update(data), cipher.final()]);
}

/** Node's OpenSSL has no RC4. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => ([box[one], box[other]] = [box[other]!, box[one]!]);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + box[i]! + key[i % key.length]!) & 0xff;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 0xff;
      j = (j + box[i]!) & 0xff;
      swap(i, j);
      return byte ^ box[(box[i]! + box[j]!) & 0xff]!;
    }),
  );
}

function repeatedRc4(key: Buffer, data: Buffer, rounds: number): Buffer {
  let result = data;
  for (let round = 0; round < rounds; round++)
    result = rc4(Buffer.from(key.map((byte) => byte ^ round)), result);
  return result;
}

function md5(data: Buffer, more = 0, bytes = 16): Buffer {
  let hash = createHash('md5').update(data).digest();
  for (let round = 0; round < more; round++)
    hash = createHash('md5').update(hash.subarray(0, bytes)).digest();
  return hash;
}

const padded = (password: string): Buffer => Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);
const hex = (data: Buffer): string => `<${data.toString('hex')}>`;
