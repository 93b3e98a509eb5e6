import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface ReadPage {
  /** Its lines, each from top to bottom in the order in which it is read. */
  readonly text: string;
  /** The extent of the text that is not rotated, in points. */
  readonly left: number;
  readonly right: number;
}

export interface ReadPdf {
  readonly title: string;
  readonly language: string;
  readonly createdAt: string;
  readonly tagged: boolean;
  /** The XMP. */
  readonly metadata: string;
  readonly attachments: readonly {
    readonly name: string;
    readonly description: string;
    readonly text: string;
  }[];
  readonly pages: readonly ReadPage[];
}

/** Reads PDFs in a process of its own, which takes about a second whatever their number. */
export function readPdfs(pdfs: readonly Uint8Array[]): ReadPdf[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-pdfs-'));
  try {
    const files = pdfs.map((pdf, index) => {
      const file = path.join(folder, `${index}.pdf`);
      fs.writeFileSync(file, pdf);
      return file;
    });
    const reader = path.join(__dirname, 'pdf-text.mjs');
    const output = execFileSync(process.execPath, [reader, ...files], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ReadPdf);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
