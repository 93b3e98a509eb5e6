import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { PrintablePages, RenderedPages } from '../../application/ports/pdf-renderer';
import type { PrintableLogo } from '../../application/ports/printable-document';
import { composePage, type PageFiles } from './compose-page';
import { composeStatement } from './compose-statement';
import { Fonts } from './fonts';
import type { PageContent } from './page-content';
import { PageTexts } from './page-texts';

/** A folder that exists only in the compiler, and contains all that it reads. */
const FOLDER = '/renditions';
const TEMPLATE = 'document.typ';
const CONTENT = 'content.json';
const E_INVOICE = 'invoice.xml';
const EXTENSIONS: Readonly<Record<PrintableLogo['mediaType'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
};
const STANDARD = 'a-3a';

interface Loaded {
  readonly compiler: NodeCompiler;
  readonly texts: PageTexts;
}

/**
 * Renders with Typst, in the calling thread. The compiler is loaded when the first document is rendered, because it is
 * large, and most processes render none.
 */
export class TypstPdfRenderer {
  private loaded: Promise<Loaded> | null = null;

  async render(pages: PrintablePages): Promise<RenderedPages> {
    const { compiler, texts } = await this.compiler();
    // From here on, no other document can get in between, because nothing waits.
    const compile = (files: PageFiles): Uint8Array => {
      put(compiler, CONTENT, Buffer.from(JSON.stringify(contentOf(pages, texts, files))));
      return pdfOf(compiler, createdAt(pages));
    };
    const files = putFiles(compiler, pages);
    if (files.logo === null) return { pdf: compile(files), isLogoLeftOut: false };
    try {
      return { pdf: compile(files), isLogoLeftOut: false };
    } catch {
      // An image that cannot be decoded must not keep a document from its recipient. Any other fault is thrown again.
      return { pdf: compile({ ...files, logo: null }), isLogoLeftOut: true };
    }
  }

  private compiler(): Promise<Loaded> {
    this.loaded ??= load().catch((error: unknown) => {
      // The next document tries again.
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }
}

function contentOf(pages: PrintablePages, texts: PageTexts, files: PageFiles): PageContent {
  return 'statement' in pages ? composeStatement(pages, texts, files) : composePage(pages, texts, files);
}

/** A statement is of the end of its day. */
function createdAt(pages: PrintablePages): Date {
  return 'statement' in pages ? new Date(pages.statement.ageing.asOf) : pages.createdAt;
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

function putFiles(compiler: NodeCompiler, pages: PrintablePages): PageFiles {
  const { logo } = pages.issuer;
  const eInvoice = 'eInvoice' in pages ? pages.eInvoice : null;
  const logoFile = logo === null ? null : `logo.${EXTENSIONS[logo.mediaType]}`;
  if (logo !== null && logoFile !== null) put(compiler, logoFile, Buffer.from(logo.bytes));
  if (eInvoice !== null) put(compiler, E_INVOICE, Buffer.from(eInvoice));
  return { logo: logoFile, eInvoice: eInvoice === null ? null : E_INVOICE };
}

function put(compiler: NodeCompiler, name: string, content: Buffer): void {
  compiler.mapShadow(path.posix.join(FOLDER, name), content);
}

/** Compiles and exports in one call: a compiled document would keep its memory until the garbage collector runs. */
function pdfOf(compiler: NodeCompiler, createdAt: Date): Uint8Array {
  try {
    return compiler.pdf(
      { mainFilePath: path.posix.join(FOLDER, TEMPLATE) },
      { pdfStandard: STANDARD, creationTimestamp: Math.floor(createdAt.getTime() / 1_000) },
    );
  } catch (error) {
    throw new Error('the document cannot be rendered', { cause: error });
  } finally {
    // The next document has other content, so intermediate results of this one would only take memory.
    compiler.evictCache(0);
  }
}
