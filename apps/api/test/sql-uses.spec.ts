import { usesIn, usesInSource } from './sql-uses';

const names = {
  tables: new Set(['entities', 'documents', 'users']),
  functions: new Set(['lock_documents']),
};
const said = (uses: ReturnType<typeof usesIn>) => uses.map(({ how, name }) => `${how} ${name}`);

describe('the tables that SQL names', () => {
  it.each([
    ['select from documents d join entities e on e.id = d.entity_id', ['reads documents', 'reads entities']],
    [
      'select from documents d, users, lateral (select from entities)',
      ['reads documents', 'reads users', 'reads entities'],
    ],
    ['select from last, documents as d', ['reads documents']],
    ['with users_of as (select 1) select from users_of', []],
    ['select 1 -- from users', []],
    ['insert into documents (id) values (1)', ['writes documents']],
    ['insert into users as u (id) select 1 on conflict (id) do update set id = 1', ['writes users']],
    ['update documents d set id = 1 from entities e', ['writes documents', 'reads entities']],
    ['update only users set id = 1', ['writes users']],
    ['delete from users using entities', ['writes users', 'reads users', 'reads entities']],
    ['select 1 from entities for update of entities', ['reads entities']],
    ['select lock_documents($1)', ['calls lock_documents']],
  ])('%s', (sql, expected) => {
    expect(said(usesIn(sql, names))).toEqual(expected);
  });

  it('are found in texts, in templates around expressions and in bare names', () => {
    const code = [
      "const a = 'select from users';",
      'const b = `select ${columns} from entities e where ${condition}`;',
      "const c = list('documents d');",
      "const d = 'documents of a company';",
      "new EntitySchema({ tableName: 'users' });",
    ].join('\n');
    expect(said(usesInSource(code, names, true))).toEqual([
      'reads users',
      'reads entities',
      'reads documents',
      'reads users',
      'writes users',
    ]);
  });
});
