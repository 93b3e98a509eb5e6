import type { NodeCompiler, NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import fs from 'node:fs/promises';
import path from 'node:path';
import { PdfRenderer } from '../../application/ports/pdf-renderer';
import type { PrintableDocument, PrintableLogo } from '../../application/ports/printable-document';
import { composePage } from './compose-page';
import { Fonts } from './fonts';
import { PageTexts } from './page-texts';

/** A folder that exists only in the compiler. The compiler cannot read any other. */
const FOLDER = '/renditions';
const TEMPLATE = 'document.typ';
const CONTENT = 'content.json';
const EXTENSIONS: Readonly<Record<PrintableLogo['mediaType'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
};
const STANDARD = 'a-3a';
/** Results that the compiler has not used again in so many documents are forgotten. */
const UNUSED_MAX = 3;

interface Loaded {
  readonly compiler: NodeCompiler;
  readonly texts: PageTexts;
}

/**
 * Renders with Typst, in the calling thread. The compiler is loaded when the first document is rendered, because it is
 * large, and most processes render none.
 */
export class TypstPdfRenderer extends PdfRenderer {
  private loaded: Promise<Loaded> | null = null;

  async render(document: PrintableDocument): Promise<Uint8Array> {
    this.loaded ??= load();
    const { compiler, texts } = await this.loaded;
    const { logo } = document.issuer;
    const logoFile = logo === null ? null : `logo.${EXTENSIONS[logo.mediaType]}`;
    // From here on, no other document can get in between, because nothing waits.
    put(compiler, CONTENT, Buffer.from(JSON.stringify(composePage(document, texts, logoFile))));
    if (logo !== null && logoFile !== null) put(compiler, logoFile, Buffer.from(logo.bytes));
    try {
      return compiler.pdf(compile(compiler), {
        pdfStandard: STANDARD,
        creationTimestamp: Math.floor(document.createdAt.getTime() / 1_000),
      });
    } finally {
      compiler.evictCache(UNUSED_MAX);
    }
  }
}

async function load(): Promise<Loaded> {
  const [typst, fonts, template] = await Promise.all([
    import('@myriaddreamin/typst-ts-node-compiler'),
    Fonts.load(),
    fs.readFile(path.join(__dirname, TEMPLATE)),
  ]);
  const compiler = typst.NodeCompiler.create({
    workspace: FOLDER,
    fontArgs: [{ fontBlobs: [...fonts.files] }],
  });
  put(compiler, TEMPLATE, template);
  return { compiler, texts: new PageTexts((text) => fonts.withGlyphs(text)) };
}

function put(compiler: NodeCompiler, name: string, content: Buffer): void {
  compiler.mapShadow(path.posix.join(FOLDER, name), content);
}

function compile(compiler: NodeCompiler): NodeTypstDocument {
  const compiled = compiler.compile({ mainFilePath: path.posix.join(FOLDER, TEMPLATE) });
  if (compiled.result !== null) return compiled.result;
  const error = compiled.takeError();
  throw new Error(`the document cannot be rendered: ${JSON.stringify(error?.shortDiagnostics ?? null)}`);
}
