import fc from 'fast-check';
import type { ListDefinition } from './list-definition';
import { matchingSql, searchIn } from './matching-sql';

interface Filter {
  readonly search?: string;
  readonly kind?: string;
  readonly since?: string;
}

const THINGS: Pick<ListDefinition<Filter, never>, 'from' | 'scope' | 'filters'> = {
  from: 'things t',
  scope: 't.company_id = $1',
  filters: {
    kind: 't.kind = ?',
    since: 't.day >= ?',
    search: searchIn((term) => `search_things($1, ${term}) t`, ['t.name_key', 't.code_key']),
  },
};

function found(filter: Filter) {
  const parameters: unknown[] = [7];
  return { ...matchingSql(THINGS, parameters, filter), parameters };
}

describe('matchingSql', () => {
  it('omits filters without a value', () => {
    const { where, parameters } = found({ since: '2026-01-01' });
    expect(where).toBe('t.company_id = $1 and t.day >= $2');
    expect(parameters).toEqual([7, '2026-01-01']);
  });
});

describe('a search', () => {
  const searched = (search: string) => found({ search });

  it.each(['', ' ', '\t\n'])('for the blank text %j matches everything', (search) => {
    expect(searched(search)).toMatchObject({
      from: 'things t',
      parameters: [7],
      isAll: true,
      searches: false,
    });
  });

  it('for less than three characters compares every row of the scope', () => {
    expect(searched(' ab ')).toMatchObject({
      from: 'things t',
      where: 't.company_id = $1 and (t.name_key like lower($2) or t.code_key like lower($2))',
      parameters: [7, '%ab%'],
    });
  });

  it('for three characters uses the index alone', () => {
    expect(searched('abc')).toMatchObject({
      from: 'search_things($1, lower($2)) t',
      where: 't.company_id = $1',
      parameters: [7, 'abc'],
      isAll: false,
    });
  });

  it('for more characters uses the index and compares', () => {
    expect(searched('abcd')).toMatchObject({
      from: 'search_things($1, lower($2)) t',
      parameters: [7, 'abcd', '%abcd%'],
    });
  });

  it('for three characters that become more in lower case also compares', () => {
    expect(searched('İab').parameters).toEqual([7, 'İab', '%İab%']);
  });

  it('escapes the special characters of patterns', () => {
    expect(searched('%_\\').parameters).toEqual([7, '%_\\']);
    expect(searched('100%').parameters).toEqual([7, '100%', '%100\\%%']);
  });

  it("does not put the caller's text into the SQL", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), (text) => {
        const { from, where } = searched(`"${text}'`);
        expect(from).toBe('search_things($1, lower($2)) t');
        expect(where).toBe('t.company_id = $1 and (t.name_key like lower($3) or t.code_key like lower($3))');
      }),
    );
  });
});
