import { plainTextPage } from '../text/plain-text-page';
import { joinSpaced, nameIn } from './names';
import { toSheet } from './sheet';

function nameOf(text: string): string | undefined {
  const [line] = toSheet([plainTextPage(text)], 'text', '2026-01-01').lines;
  const cell = line?.cells[0];
  return line && cell && nameIn(line, cell);
}

describe('the name in a cell', () => {
  it('ends after the legal form if an address follows', () => {
    expect(nameOf('Garrido Consultores S.A., Paseo Marítimo, 45, 28013 Madrid')).toBe(
      'Garrido Consultores S.A.',
    );
    expect(nameOf('Brandt GmbH · Gartenweg 3 · 50667 Köln')).toBe('Brandt GmbH');
  });

  it('begins after a notice of copyright', () => {
    expect(nameOf('© 2024 Alder Ltd, 1 Oak Road, Leeds')).toBe('Alder Ltd');
  });

  it.each([
    ['office@dolev.co.il', undefined],
    ['www.dolev.co.il', undefined],
    ['https://dolev.example', undefined],
    ['Coffee@Work GmbH', 'Coffee@Work GmbH'],
    ['Coffee@Work', 'Coffee@Work'],
    ['dolev.example', 'dolev.example'],
  ])('is no address of e-mail or the web, but may look like one: %s', (text, name) => {
    expect(nameOf(text)).toBe(name);
  });

  it('is joined if its letters are set apart', () => {
    expect(joinSpaced('A U B E R T')).toBe('AUBERT');
    expect(joinSpaced('A B Motors')).toBe('A B Motors');
    expect(joinSpaced('Plan B & C')).toBe('Plan B & C');
  });
});
