import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '@counterfoil/kernel';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { receiveFile } from './upload-form';

const FILE = 'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
const FIELD = 'Content-Disposition: form-data; name="note"\r\n\r\n';
const GOOD = `--b\r\n${FILE}the bytes\r\n--b\r\n${FIELD}a note\r\n--b--\r\n`;
/** Pieces of forms, combined in any order. */
const PIECES = [
  FILE,
  FIELD,
  '--b',
  '\r\n--b\r\n',
  '\r\n--b--\r\n',
  '--',
  '\r\n',
  '\r',
  '\n',
  '\0',
  'x',
  'x'.repeat(3_000),
];

/** A request whose body arrives in pieces of this size, and is complete or breaks off. */
function requestOf(body: string, size: number): FastifyRequest {
  const bytes = Buffer.from(body, 'latin1');
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const raw = Object.assign(Readable.from(pieces, { objectMode: false }), { headers, complete: false });
  raw.on('end', () => (raw.complete = true));
  return { raw: raw as unknown as IncomingMessage, headers } as FastifyRequest;
}

const receive = (body: string, size = body.length || 1): Promise<string> =>
  receiveFile(requestOf(body, size), async ({ content }) => {
    let text = '';
    for await (const piece of content) text += piece.toString('latin1');
    return text;
  });

/** The outcome: the bytes of the file, or the error for the caller. */
async function outcome(body: string, size: number): Promise<string> {
  try {
    return await receive(body, size);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return (error as AppError).code;
  }
}

describe('a form with a file', () => {
  it('is read in pieces of any size', async () => {
    for (let size = 1; size <= GOOD.length; size++) expect(await receive(GOOD, size)).toBe('the bytes');
  });

  it('is refused if it breaks off anywhere', async () => {
    const whole = GOOD.lastIndexOf('--') + 2;
    for (let length = 0; length < whole; length++) {
      expect(await outcome(GOOD.slice(0, length), 7)).toBe('VALIDATION_FAILED');
    }
  });

  it('is either accepted or refused, for any combination of parts', async () => {
    const made = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));
    const spoilt = fc
      .tuple(fc.nat(GOOD.length), fc.nat(9), fc.constantFrom('', ...PIECES))
      .map(([at, cut, piece]) => GOOD.slice(0, at) + piece + GOOD.slice(at + cut));
    await fc.assert(
      fc.asyncProperty(fc.oneof(made, spoilt), fc.integer({ min: 1, max: 200 }), async (body, size) => {
        expect(typeof (await outcome(body, size))).toBe('string');
      }),
      { numRuns: 2_000 },
    );
  });

  it('can still be read to its end after a refusal', async () => {
    const request = requestOf(`--b\r\n${FILE}${'x'.repeat(200_000)}\r\n--b--\r\n`, 1_000);
    await expect(receiveFile(request, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    if (!request.raw.readableEnded) await new Promise((resolve) => request.raw.once('end', resolve));
    expect(request.raw.complete).toBe(true);
  });
});
