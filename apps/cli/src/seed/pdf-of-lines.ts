const FONT_SIZE = 11;
const LINE_HEIGHT = 18;
const TOP = 790;
const LEFT = 60;

/** Writes a PDF of one page in Helvetica. The texts must be ASCII, because the font has no other letters. */
export function pdfOfLines(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const content = `BT /F1 ${FONT_SIZE} Tf ${LINE_HEIGHT} TL ${LEFT} ${TOP} Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`);
  return new TextEncoder().encode(fileOf(objects));
}

/** Adds the table of the places at which the objects begin. */
function fileOf(objects: readonly string[]): string {
  const header = '%PDF-1.7\n';
  const places = objects.map(
    (_, index) => header.length + objects.slice(0, index).reduce((sum, { length }) => sum + length, 0),
  );
  const body = header + objects.join('');
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return (
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${table}` +
    `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  );
}
