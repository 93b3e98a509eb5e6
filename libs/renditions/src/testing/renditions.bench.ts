import { Figures, median, percentile } from '@counterfoil/test-harness';
import { TypstPdfRenderer } from '../adapters/typst/typst-pdf-renderer';
import { aPrintableDocument } from './a-printable-document';

const DOCUMENTS = 1_000;
const MIB = 1024 * 1024;

const documentOf = (number: number) =>
  aPrintableDocument({
    number,
    language: number % 2 === 0 ? 'en' : 'he',
    items: Array.from({ length: 1 + (number % 8) }, (_, at) => ({
      ...aPrintableDocument().items[0]!,
      description: `ייעוץ ${number}, visit ${at + 1}`,
    })),
  });

it('PDFs of documents take little time and memory', async () => {
  const figures = new Figures();
  figures.heading(`${DOCUMENTS} different documents of a page, one after the other`);
  const renderer = new TypstPdfRenderer();
  await renderer.render(documentOf(0));
  const before = process.memoryUsage().rss;
  const took: number[] = [];
  let highest = before;
  for (let number = 1; number <= DOCUMENTS; number++) {
    const started = performance.now();
    await renderer.render(documentOf(number));
    took.push(performance.now() - started);
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  figures.add('a document, p50', median(took), ' ms');
  figures.add('a document, p95', percentile(took, 0.95), ' ms', { atMost: 50 });
  figures.add('memory beside that of the first document', (highest - before) / MIB, ' MiB', { atMost: 256 });
  expect(figures.broken).toEqual([]);
});
