const START_BYTES = 16 * 1024;
/** A body may have this many pieces of any size, … */
const PIECES_MIN = 4096;
/** … and beyond that its pieces must have this average length. */
const PIECE_BYTES = 64;

/** A body as it arrives, in one buffer: a buffer for each piece would cost a hundred times a body of single bytes. */
export class BodyBuffer {
  private buffer = Buffer.alloc(0);
  private bytes = 0;
  private pieces = 0;
  private isOver = false;

  constructor(private readonly maxBytes: number) {}

  /** More came than may be kept. */
  get over(): boolean {
    return this.isOver;
  }

  /** Each piece costs the event loop the same, whatever its length, so their number has a limit too. */
  get shredded(): boolean {
    return this.pieces > PIECES_MIN + this.maxBytes / PIECE_BYTES;
  }

  add(piece: Buffer): void {
    this.pieces += 1;
    const end = Math.min(this.bytes + piece.length, this.maxBytes);
    this.isOver = this.bytes + piece.length > this.maxBytes;
    if (this.bytes === 0) {
      // Most come in one piece; its copy takes no more than it needs.
      this.buffer = Buffer.from(piece.subarray(0, end));
    } else {
      this.makeRoom(end);
      piece.copy(this.buffer, this.bytes, 0, end - this.bytes);
    }
    this.bytes = end;
  }

  content(): Buffer {
    return this.buffer.subarray(0, this.bytes);
  }

  private makeRoom(bytes: number): void {
    if (bytes <= this.buffer.length) return;
    const wanted = Math.max(bytes, START_BYTES, 2 * this.buffer.length);
    const larger = Buffer.allocUnsafeSlow(Math.min(wanted, this.maxBytes));
    this.buffer.copy(larger, 0, 0, this.bytes);
    this.buffer = larger;
  }
}
