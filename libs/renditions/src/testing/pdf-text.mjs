// node pdf-text.mjs FILE…: prints one JSON line for each PDF: its properties, and the text of its pages. A process of its
// own, because Jest cannot load pdfjs, which is an ES module.
import fs from 'node:fs';
import 'core-js/actual/array-buffer/transfer-to-fixed-length.js';
import 'core-js/actual/promise/with-resolvers.js';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

for (const file of process.argv.slice(2)) console.log(JSON.stringify(await readPdf(file)));

async function readPdf(file) {
  const data = new Uint8Array(fs.readFileSync(file));
  const task = getDocument({ data, verbosity: VerbosityLevel.ERRORS, disableFontFace: true });
  const pdf = await task.promise;
  const { info, metadata } = await pdf.getMetadata();
  const marks = await pdf.getMarkInfo();
  const attachments = [];
  for (const [id, { filename, description }] of (await pdf.getAttachments()) ?? [])
    attachments.push({
      name: filename,
      description,
      text: Buffer.from(await pdf.getAttachmentContent(id)).toString(),
    });
  const pages = [];
  for (let number = 1; number <= pdf.numPages; number += 1) pages.push(await readPage(pdf, number));
  await task.destroy();
  return {
    title: info.Title,
    language: info.Language,
    createdAt: info.CreationDate,
    tagged: marks?.get('Marked') ?? false,
    metadata: metadata.getRaw(),
    attachments,
    pages,
  };
}

async function readPage(pdf, number) {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const upright = items.filter(({ str, transform: [, skew] }) => str.trim() !== '' && skew === 0);
  return {
    text: linesOf(items).map(inReadingOrder).join('\n'),
    left: Math.min(...upright.map(({ transform }) => transform[4])),
    right: Math.max(...upright.map(({ transform, width }) => transform[4] + width)),
  };
}

function linesOf(items) {
  const lines = [[]];
  for (const item of items) {
    lines.at(-1).push(item);
    if (item.hasEOL) lines.push([]);
  }
  return lines;
}

/** A PDF has the words of a line in the order of their places, from left to right. */
function inReadingOrder(items) {
  const shown = items.filter(({ str }) => str !== '');
  const words = [];
  for (let at = 0; at < shown.length; at += 1) {
    const run = rightToLeftRun(shown, at);
    words.push(...run.toReversed(), ...(run.length === 0 ? [shown[at]] : []));
    at += Math.max(0, run.length - 1);
  }
  return words
    .map(({ str }) => str)
    .join(' ')
    .replaceAll(/ +/g, ' ');
}

/** The words from right to left that begin here, with the spaces between them. */
function rightToLeftRun(items, start) {
  let end = start;
  for (let at = start; at < items.length; at += 1) {
    if (items[at].dir === 'rtl') end = at + 1;
    else if (items[at].str.trim() !== '') break;
  }
  return items.slice(start, end);
}
