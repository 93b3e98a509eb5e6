const SHOWN_BYTES = 200_000;
const SHOWN = 20_000;

/** Reads the beginning of a text; of HTML, what a reader would see. Nothing of it is loaded or run. */
export async function readableText(blob: Blob): Promise<string> {
  const text = await blob.slice(0, SHOWN_BYTES).text();
  return (blob.type.startsWith('text/html') ? textOfHtml(text) : text).slice(0, SHOWN);
}

function textOfHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const hidden of page.querySelectorAll('script, style, head, template')) hidden.remove();
  for (const block of page.querySelectorAll('br, p, div, tr, li, h1, h2, h3, h4, table')) block.append('\n');
  for (const cell of page.querySelectorAll('td, th')) cell.append('  ');
  const lines = (page.body.textContent ?? '').split('\n').map((line) => line.trimEnd());
  return lines
    .filter((line) => line !== '')
    .join('\n')
    .trim();
}
