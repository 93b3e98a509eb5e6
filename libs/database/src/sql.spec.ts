import { statement } from './sql-statement';
import type { Statements } from './statements';

const textOf = (text: string) => statement<Record<string, unknown>>('a', text).text;
const valuesOf = (text: string, parameters: object) => statement('a', text).query(parameters).values;

describe('a statement', () => {
  it.each([
    ['select :a, :b, :a', 'select $1, $2, $1'],
    [
      'select :a::text[], x::int from t where y = any (:b)',
      'select $1::text[], x::int from t where y = any ($2)',
    ],
    ["select ':a', 'it''s :a', :b", "select ':a', 'it''s :a', $1"],
    ['select x as ":a", :b', 'select x as ":a", $1'],
    ['select 1 -- of :a\n, :b', 'select 1 -- of :a\n, $1'],
    ['select list[1:2], :b', 'select list[1:2], $1'],
    ['select :aB, :a, :a_b', 'select $1, $2, $3'],
    ['values (:one.id, :one.name, :one.id)', 'values ($1, $2, $1)'],
  ])('%s is sent as %s', (written, sent) => {
    expect(textOf(written)).toBe(sent);
  });

  it('sends its parameters in the order of their numbers', () => {
    expect(valuesOf('select :b, :a, :b', { a: 1, b: null, c: 3 })).toEqual([null, 1]);
  });

  it('sends fields of a parameter, and of all elements of an array', () => {
    const parameters = { one: { id: 1, key: { text: 'k' } }, many: [{ id: 2 }, { id: 3 }], none: null };
    expect(valuesOf('select :one.id, :one.key.text, :many.id, :none.id, :none.key.text', parameters)).toEqual(
      [1, 'k', [2, 3], null, null],
    );
    expect(valuesOf('select :many.id', { many: [] })).toEqual([[]]);
  });

  it('is planned once for each connection only if it is declared as prepared', () => {
    expect(statement('a', 'select 1').query({})).toEqual({ text: 'select 1', values: [] });
    const prepared = statement('a: b', 'select 1', { prepared: true });
    expect(prepared.query({})).toEqual({ name: 'a: b', text: 'select 1', values: [] });
  });

  it('does not compile with a missing, misspelt or extra parameter, or with an unknown column', () => {
    const find = statement<{ readonly id: number }, { readonly name: string }>('find', 'select :id');
    const calls = async (statements: Statements) => {
      // @ts-expect-error -- missing
      await statements.rows(find, {});
      // @ts-expect-error -- misspelt
      await statements.first(find, { ident: 1 });
      // @ts-expect-error -- one too many
      await statements.changed(find, { id: 1, companyId: 2 });
      // @ts-expect-error -- of another type
      await statements.changed(find, { id: '1' });
      const { name } = await statements.only(find, { id: 1 });
      // @ts-expect-error -- not selected
      return [name, (await statements.only(find, { id: 1 })).title];
    };
    expect(calls).toBeDefined();
  });
});
