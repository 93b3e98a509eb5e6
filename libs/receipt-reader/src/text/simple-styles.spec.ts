import { SimpleStyles } from './simple-styles';

function given(sheet: string): SimpleStyles {
  const styles = new SimpleStyles();
  styles.add(sheet);
  return styles;
}

describe('the visible text of a page', () => {
  it('excludes text hidden by a rule for its class or name, an attribute, or its own style', () => {
    const styles = given(
      '/* a */ .preheader, td.note { color: red; display : none !important } .b { color: blue }',
    );
    expect(styles.shown('span', { class: 'x preheader' }).isHidden).toBe(true);
    expect(styles.shown('td', { class: 'note' }).isHidden).toBe(true);
    expect(styles.shown('p', { class: 'note' }).isHidden).toBe(false);
    expect(styles.shown('p', { hidden: '' }).isHidden).toBe(true);
    expect(styles.shown('p', { style: 'color:red;visibility:hidden' }).isHidden).toBe(true);
    expect(styles.shown('p', { style: 'font-size:0.9em' }).isHidden).toBe(false);
    expect(styles.shown('p', { class: 'b' }).isHidden).toBe(false);
  });

  it('includes text that is hidden only for some media', () => {
    const styles = given(
      '@media print { .screen { display: none } } @page { margin: 0 } .after { display: none }',
    );
    expect(styles.shown('p', { class: 'screen' }).isHidden).toBe(false);
    expect(styles.shown('p', { class: 'after' }).isHidden).toBe(true);
  });

  it.each([
    ['without braces', `${'a'.repeat(199_000)}}`],
    ['of opening braces', '{'.repeat(199_000)],
    ['of rules that are empty', '{}'.repeat(99_500)],
    ['of comments that end nowhere', '/*'.repeat(99_500)],
  ])('is determined from a style sheet %s in one pass', (_, sheet) => {
    const started = performance.now();
    given(sheet);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('uses the innermost of nested rules', () => {
    const styles = given('a{color:red;.b{display:none}} .c{display:none}');
    expect(styles.shown('p', { class: 'c' }).isHidden).toBe(true);
  });

  it('is side by side in a flex box, unless that is a column', () => {
    const styles = given('.row{display:flex} .column{display:flex;flex-direction:column}');
    expect(styles.shown('div', { class: 'row' }).isRow).toBe(true);
    expect(styles.shown('div', { class: 'column' }).isRow).toBe(false);
  });
});
