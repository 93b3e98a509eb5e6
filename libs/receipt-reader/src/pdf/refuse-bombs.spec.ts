import { deflateSync } from 'node:zlib';
import { pdfOf, stream } from '@counterfoil/test-harness';
import { UnreadableDocument } from '../unreadable-document';
import { refuseBombs } from './refuse-bombs';

const MIB = 1024 * 1024;
const deflated = (size: number) => deflateSync(Buffer.alloc(size, ' '));

describe('a compressed PDF', () => {
  it('is accepted if it is about as large as real pages', () => {
    expect(() => refuseBombs(pdfOf([stream(deflated(MIB), '/Filter /FlateDecode')]))).not.toThrow();
    expect(() => refuseBombs(Buffer.from('%PDF-1.4 stream without an end'))).not.toThrow();
    expect(() => refuseBombs(pdfOf([stream(Buffer.alloc(MIB, 7), '/Filter /FlateDecode')]))).not.toThrow();
  });

  it('is refused if it is larger', () => {
    const bomb = pdfOf([stream(deflated(65 * MIB), '/Filter /FlateDecode')]);
    expect(() => refuseBombs(bomb)).toThrow(UnreadableDocument);
  });

  it('is refused if it is compressed twice', () => {
    const bomb = pdfOf([stream(deflateSync(deflated(MIB)), '/Filter [/FlateDecode /FlateDecode]')]);
    expect(() => refuseBombs(bomb)).toThrow(UnreadableDocument);
  });
});
