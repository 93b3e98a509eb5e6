/** Parts of a PDF besides the content of its pages. */
export interface PdfParts {
  /** Additional entries of the dictionaries. */
  readonly catalog?: string;
  readonly page?: string;
  readonly trailer?: string;
  readonly resources?: string;
  /** The size of each page in points, for example `0 0 595 842`. */
  readonly box?: string;
  /** Replaces the list of pages. */
  readonly kids?: string;
  /** Additional objects, numbered from 3. */
  readonly objects?: readonly Buffer[];
}

/** Builds a stream object with its dictionary. */
export function stream(content: string | Buffer, dictionary = ''): Buffer {
  const data = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const head = `<< /Length ${data.length} ${dictionary} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), data, Buffer.from('\nendstream')]);
}

/** Builds a PDF with one page for each content stream. The font `F1` is Helvetica. */
export function pdfOf(contents: readonly Buffer[], parts: PdfParts = {}): Buffer {
  const { catalog = '', page = '', resources = '', box = '0 0 595 842', objects = [] } = parts;
  const first = 3 + objects.length;
  const kids = parts.kids ?? `[${contents.map((_, index) => `${first + 2 * index} 0 R`).join(' ')}]`;
  const font = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
  const pages = contents.flatMap((content, index) => [
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Resources << ${font} ${resources} >> ` +
        `/Contents ${first + 2 * index + 1} 0 R ${page} >>`,
    ),
    content,
  ]);
  const all = [
    Buffer.from(`<< /Type /Catalog /Pages 2 0 R ${catalog} >>`),
    Buffer.from(`<< /Type /Pages /Count ${contents.length} /Kids ${kids} >>`),
    ...objects,
    ...pages,
  ];
  return fileOf(all, parts.trailer ?? '');
}

function fileOf(objects: readonly Buffer[], trailer: string): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = pieces[0]!.length;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    pieces.push(piece);
    length += piece.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const id = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';
  pieces.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${id} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}
