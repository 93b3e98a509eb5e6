import { markup, type MarkupValue } from './markup';

const textOf = (content: MarkupValue) => markup`${content}`.text;

describe('markup', () => {
  it('escapes every value, but not the template', () => {
    expect(markup`<p title="${'"><b x=\''}">${'<b>&amp;</b>'}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;b x=&#39;">&lt;b&gt;&amp;amp;&lt;/b&gt;</p>',
    );
  });

  it('does not escape markup again, alone or in nested lists', () => {
    const item = (text: string) => markup`<li>${text}</li>`;
    expect(markup`<ul>${[item('<'), [item('&'), '>']]}</ul>`.text).toBe(
      '<ul><li>&lt;</li><li>&amp;</li>&gt;</ul>',
    );
  });

  it('escapes objects that only look like markup', () => {
    const lookalike = { text: '<script>' } as unknown as MarkupValue;
    expect(() => textOf(lookalike)).toThrow();
  });

  it('renders null and an empty list as nothing', () => {
    expect(markup`a${null}b${[]}c${''}d`.text).toBe('abcd');
  });

  it.each([0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])(
    'drops the bidi control U+%#',
    (code) => {
      expect(textOf(`a${String.fromCharCode(code)}b`)).toBe('ab');
    },
  );

  it('removes control characters, but not tabs and line breaks', () => {
    expect(textOf('a\0\x01\x08\x1b\x1f\x7f\x80\x9f\ufeffb\tc\r\nd')).toBe('ab\tc\r\nd');
  });

  it('shows each kind of line break as one that HTML knows', () => {
    expect(textOf('a\vb\fc\u0085d\u2028e\u2029f')).toBe('a\nb\nc\nd\ne\nf');
  });

  it('keeps all other text: directional marks, joiners, combining marks, emoji', () => {
    const text = 'שָׁלוֹם \u200e\u200f\u061c\u200d 👩‍👩‍👧 é ₪ ` = /';
    expect(textOf(text)).toBe(text);
  });
});
