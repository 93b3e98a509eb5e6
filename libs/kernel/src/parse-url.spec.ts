import { parseUrl } from './parse-url';

describe('parseUrl', () => {
  it.each([
    ['https://books.example.com/a?b#c', undefined, 'https://books.example.com/a?b#c'],
    ['/next', 'https://books.example.com/a', 'https://books.example.com/next'],
    ['https://bücher.example/', undefined, 'https://xn--bcher-kva.example/'],
    ['not a url', undefined, undefined],
    ['/next', undefined, undefined],
    ['https://', undefined, undefined],
  ])('parses %j with the base %j', (text, base, href) => {
    expect(parseUrl(text, base)?.href).toBe(href);
  });

  it('answers the same after V8 has optimized it', () => {
    const refused = Array.from({ length: 50_000 }, () => parseUrl('https://bücher.example/')).indexOf(null);
    expect(refused).toBe(-1);
  });
});
