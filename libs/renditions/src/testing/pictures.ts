import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';

const TOOLS = ['pdftoppm', 'pdfinfo', 'pdftotext', 'pdfdetach'] as const;
type Tool = (typeof TOOLS)[number];

const isInstalled = (tool: Tool) => spawnSync(tool, ['-v']).error === undefined;

/** Whether poppler-utils is installed. If it is not, says once which tests are left out. */
export function hasPoppler(file: string): boolean {
  const missing = TOOLS.filter((tool) => !isInstalled(tool));
  if (missing.length > 0)
    process.stderr.write(
      `SKIPPED ${file}: ${missing.join(', ')} of poppler-utils is not installed, so no PDF was looked at\n`,
    );
  return missing.length === 0;
}

/**
 * Runs a tool of poppler-utils on a PDF. Among the arguments, `PDF` stands for its path, and `OUTPUT` for that of a file.
 *
 * @returns what is in that file, or else what the tool prints
 */
export function withPoppler(tool: Tool, pdf: Uint8Array, args: readonly string[]): Buffer {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-poppler-'));
  try {
    const file = path.join(folder, 'document.pdf');
    fs.writeFileSync(file, pdf);
    const output = path.join(folder, 'output');
    const paths: Readonly<Record<string, string>> = { PDF: file, OUTPUT: output };
    const named = args.map((argument) => paths[argument] ?? argument);
    const { stdout, stderr, status } = spawnSync(tool, named, { maxBuffer: 256 * 1024 * 1024 });
    if (status !== 0) throw new Error(`${tool} ended with ${status}: ${stderr.toString()}`);
    return args.includes('OUTPUT') ? fs.readFileSync(output) : stdout;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** A page as a PNG. */
export function pictureOf(pdf: Uint8Array, page: number, dpi: number): Promise<Buffer> {
  const args = ['-r', String(dpi), '-png', '-f', String(page), '-l', String(page), 'PDF'];
  return sharp(withPoppler('pdftoppm', pdf, args))
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** In grey, for comparisons. */
export const greyPictureOf = async (pdf: Uint8Array, page: number): Promise<Buffer> =>
  sharp(await pictureOf(pdf, page, 72))
    .greyscale()
    .png({ compressionLevel: 9, palette: true, colours: 16 })
    .toBuffer();

/** Lighter differences are those of antialiasing. Of 255. */
const CONTRAST_MIN = 72;

/** The share of pixels that differ visibly, from 0 to 1; 1 if the sizes differ. */
export async function differenceOf(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((picture) => sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true })),
  );
  if (!a || !b || a.data.length !== b.data.length || a.info.width !== b.info.width) return 1;
  let different = 0;
  for (const [at, value] of a.data.entries())
    if (Math.abs(value - (b.data[at] ?? 0)) > CONTRAST_MIN) different += 1;
  return different / a.data.length;
}
