import { deflateSync } from 'node:zlib';
import { type EncryptionKind, encryptionOf } from './encryption';

/** An object of a PDF: its text, and the data of a stream. A stream's text is its dictionary without brackets. */
export interface PdfObject {
  readonly text: string;
  readonly data?: Buffer;
}

/** How the objects are written to the file. */
export interface Structure {
  readonly xref?: 'table' | 'stream' | 'hybrid' | 'none';
  /** Objects without data are packed into an object stream. Needs an xref stream. */
  readonly isPacked?: boolean;
  readonly lineEnd?: '\n' | '\r\n' | '\r';
  /** The keyword `obj` is on a line of its own. */
  readonly isObjAlone?: boolean;
  /** The length of each stream is an object of its own. */
  readonly hasIndirectLengths?: boolean;
  readonly encryption?: EncryptionKind;
  readonly userPassword?: string;
  /** A first version of an object that an incremental update replaces. */
  readonly outdated?: { readonly number: number; readonly object: PdfObject };
  readonly isLinearised?: boolean;
  /** Bytes before the header, and after the end. */
  readonly before?: string;
  readonly after?: string;
}

const ID = Buffer.from('00112233445566778899aabbccddeeff', 'hex');

type Place = { readonly offset: number } | { readonly holder: number; readonly index: number };

/** Writes a PDF. Objects are numbered from 1; the first one is the catalog. */
export function writePdf(objects: readonly PdfObject[], structure: Structure = {}): Buffer {
  return new PdfWriter(structure).write(objects);
}

class PdfWriter {
  private pieces: Buffer[] = [];
  private length = 0;
  private places = new Map<number, Place>();
  private readonly end: string;

  constructor(private readonly structure: Structure) {
    this.end = structure.lineEnd ?? '\n';
  }

  write(given: readonly PdfObject[]): Buffer {
    const { before = '', after = '', outdated, isLinearised, encryption, userPassword } = this.structure;
    const objects = this.withIndirectLengths(given);
    const lock = encryption && encryptionOf(encryption, ID, userPassword);
    const trailer = `/Root 1 0 R /ID [<${ID.toString('hex')}> <${ID.toString('hex')}>]${lock ? ` /Encrypt ${objects.length + 1} 0 R` : ''}`;
    const stored = objects.map((object, index) =>
      lock && object.data ? { ...object, data: lock.encrypt(object.data, index + 1) } : object,
    );
    const all = lock ? [...stored, { text: lock.dictionary }] : stored;
    this.put(`${before}%PDF-1.7${this.end}%\u00e2\u00e3\u00cf\u00d3${this.end}`);
    if (isLinearised) return this.linearised(all, trailer);
    const first = outdated
      ? all.map((object, index) => (index + 1 === outdated.number ? outdated.object : object))
      : all;
    this.putAll(first, lock ? all.length : undefined);
    const xref = this.putXref(trailer, this.nextNumber(all));
    if (outdated) {
      this.places = new Map();
      this.putObject(outdated.number, all[outdated.number - 1]!);
      this.putTable(`${trailer} /Prev ${xref}`, this.nextNumber(all) + 2);
    }
    this.put(after);
    return Buffer.concat(this.pieces);
  }

  private nextNumber = (objects: readonly PdfObject[]): number => objects.length + 1;

  private withIndirectLengths(objects: readonly PdfObject[]): readonly PdfObject[] {
    if (!this.structure.hasIndirectLengths || this.structure.encryption) return objects;
    const lengths: PdfObject[] = [];
    const streams = objects.map((object) => {
      if (!object.data) return object;
      lengths.push({ text: `${object.data.length}` });
      return { ...object, text: `${object.text} /Length ${objects.length + lengths.length} 0 R` };
    });
    return [...streams, ...lengths];
  }

  /** @param plain the number of the encryption dictionary, which is never packed */
  private putAll(objects: readonly PdfObject[], plain: number | undefined): void {
    const isPacked = (object: PdfObject, number: number) =>
      this.structure.isPacked && !object.data && number !== plain && !/^\d+$/.test(object.text);
    const packed: [number, PdfObject][] = [];
    for (const [index, object] of objects.entries()) {
      if (isPacked(object, index + 1)) packed.push([index + 1, object]);
      else this.putObject(index + 1, object);
    }
    if (packed.length > 0) this.putObjectStream(packed, objects.length + 1);
  }

  private putObjectStream(packed: readonly (readonly [number, PdfObject])[], holder: number): void {
    let body = '';
    const heads = packed.map(([number, { text }], index) => {
      const head = `${number} ${body.length}`;
      body += `${text}\n`;
      this.places.set(number, { holder, index });
      return head;
    });
    const head = `${heads.join(' ')} `;
    const plain = deflateSync(Buffer.from(head + body, 'latin1'));
    const { encryption, userPassword } = this.structure;
    const data = encryption ? encryptionOf(encryption, ID, userPassword).encrypt(plain, holder) : plain;
    const text = `/Type /ObjStm /N ${packed.length} /First ${head.length} /Filter /FlateDecode`;
    this.putObject(holder, { text, data });
  }

  private putObject(number: number, { text, data }: PdfObject): void {
    const { end } = this;
    this.places.set(number, { offset: this.length });
    this.put(`${number} 0${this.structure.isObjAlone ? end : ' '}obj${end}`);
    if (!data) this.put(`${text}${end}endobj${end}`);
    else {
      const length = text.includes('/Length ') ? '' : `/Length ${data.length} `;
      // A carriage return alone may not follow the keyword `stream`.
      this.put(`<< ${length}${text} >>${end}stream${end === '\r' ? '\r\n' : end}`);
      this.put(data);
      this.put(`${end}endstream${end}endobj${end}`);
    }
  }

  /** @returns the position of the xref */
  private putXref(trailer: string, number: number): number {
    switch (this.structure.xref ?? 'table') {
      case 'stream':
        return this.putXrefStream(trailer, number + 1);
      case 'hybrid': {
        const at = this.putXrefStream(trailer, number + 1, false);
        return this.putTable(`${trailer} /XRefStm ${at}`, number + 2);
      }
      case 'none':
        this.put(
          `trailer << /Size ${number} ${trailer} >>${this.end}startxref${this.end}0${this.end}%%EOF${this.end}`,
        );
        return 0;
      case 'table':
        return this.putTable(trailer, number + 1);
    }
  }

  private putTable(trailer: string, size: number): number {
    const at = this.length;
    const { end } = this;
    this.put(`xref${end}0 1${end}0000000000 65535 f${end === '\r\n' ? end : ` ${end}`}`);
    for (const [number, place] of [...this.places].sort(([one], [other]) => one - other)) {
      if ('holder' in place) continue;
      const offset = String(place.offset).padStart(10, '0');
      this.put(`${number} 1${end}${offset} 00000 n${end === '\r\n' ? end : ` ${end}`}`);
    }
    this.put(`trailer${end}<< /Size ${size} ${trailer} >>${end}startxref${end}${at}${end}%%EOF${end}`);
    return at;
  }

  private putXrefStream(trailer: string, number: number, isLast = true): number {
    const at = this.length;
    this.places.set(number, { offset: at });
    const rows = [...this.places].sort(([one], [other]) => one - other);
    const entry = (place: Place) => {
      const row = Buffer.alloc(7);
      row[0] = 'holder' in place ? 2 : 1;
      row.writeUInt32BE('holder' in place ? place.holder : place.offset, 1);
      row.writeUInt16BE('holder' in place ? place.index : 0, 5);
      return row;
    };
    const data = deflateSync(Buffer.concat(rows.map(([, place]) => entry(place))));
    const index = rows.map(([row]) => `${row} 1`).join(' ');
    const text = `/Type /XRef /W [1 4 2] /Index [${index}] /Size ${number + 1} /Filter /FlateDecode ${trailer}`;
    this.putObject(number, { text, data });
    if (isLast) this.put(`startxref${this.end}${at}${this.end}%%EOF${this.end}`);
    return at;
  }

  /** The first page's xref comes first, and points to the main one at the end. Hint tables are left out. */
  private linearised(objects: readonly PdfObject[], trailer: string): Buffer {
    const number = objects.length + 1;
    const mark = (length: number, main: number) =>
      `${number} 0 obj${this.end}<< /Linearized 1 /L ${pad(length)} /H [0 0] /O 3 /E ${pad(length)} /N 1 /T ${pad(main)} >>${this.end}endobj${this.end}`;
    const at = this.length;
    this.put(mark(0, 0));
    const front = this.length;
    const opening = (main: number) =>
      `xref${this.end}${number} 1${this.end}${String(at).padStart(10, '0')} 00000 n${this.end === '\r\n' ? this.end : ` ${this.end}`}` +
      `trailer${this.end}<< /Size ${number + 1} ${trailer} /Prev ${pad(main)} >>${this.end}startxref${this.end}0${this.end}%%EOF${this.end}`;
    this.put(opening(0));
    for (const [index, object] of objects.entries()) this.putObject(index + 1, object);
    const main = this.length;
    this.putTable(trailer, number);
    const bytes = Buffer.concat(this.pieces);
    // The last startxref points to the first section.
    const written = bytes
      .toString('latin1')
      .replace(/startxref(\s+)\d+(\s+%%EOF\s*)$/, `startxref$1${front}$2`);
    const result = Buffer.from(written, 'latin1');
    result.write(mark(result.length, main), at, 'latin1');
    result.write(opening(main), front, 'latin1');
    return Buffer.concat([result, Buffer.from(this.structure.after ?? '')]);
  }

  private put(part: string | Buffer): void {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    this.pieces.push(bytes);
    this.length += bytes.length;
  }
}

const pad = (value: number): string => String(value).padStart(10, '0');
