import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, StatementDescriber, type TestDatabase } from '@counterfoil/test-harness';
import { type Declarations, declaredIn } from './declared-statements';
import { sourceFiles } from './projects';
import { problemsOf } from './statement-problems';

const PLANTED = path.join(__dirname, 'invalid-statements.sql.ts');

const files = sourceFiles();
const sources = files.filter((file) => file.endsWith('.sql.ts'));
/** For example the event types of the contexts. */
const addToOthers = files.filter((file) => readFileSync(file, 'utf8').includes('declare module'));

describe('the SQL in `*.sql.ts`', () => {
  let database: TestDatabase;
  let describer: StatementDescriber;
  let declarations: Declarations;

  beforeAll(async () => {
    database = await createTestDatabase();
    describer = await StatementDescriber.connect(database.adminUrl);
    declarations = declaredIn([...sources, PLANTED], addToOthers);
  }, 60_000);
  afterAll(async () => {
    await describer.close();
    await database.drop();
  });

  const isPlanted = (place: string) => place.includes('invalid-statements.sql.ts');

  async function problems(planted: boolean): Promise<string[]> {
    const { types, statements } = declarations;
    const found: string[] = [];
    for (const declared of statements.filter(({ place }) => isPlanted(place) === planted)) {
      const { place, statement } = declared;
      try {
        found.push(...problemsOf(declared, await describer.describe(statement), types));
      } catch (error) {
        found.push(`${place} ${statement.name}: ${(error as Error).message}`);
      }
    }
    return found;
  }

  it('has the declared parameters and columns with their types', async () => {
    expect(await problems(false)).toEqual([]);
  });

  it('is exported, so that it can be checked', () => {
    expect(declarations.hidden.filter((place) => !isPlanted(place))).toEqual([]);
  });

  it('has a unique name for each statement', () => {
    const names = declarations.statements.map(({ statement }) => statement.name);
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  });

  it('is refused with file and line if it is wrong', async () => {
    const found = await problems(true);
    expect(
      found.filter((problem) => !/^apps\/api\/test\/invalid-statements\.sql\.ts:\d+ /.test(problem)),
    ).toEqual([]);
    expect(found.map((problem) => problem.slice(problem.indexOf(' ') + 1))).toEqual([
      'misspelt column: column "nmae" does not exist',
      'no table: relation "user_names" does not exist',
      'misspelt parameter: the parameter id is declared and not used',
      'misspelt parameter: :ident is not declared',
      'parameter of another type: :id is int8 and cannot be given as string',
      'Date for a day: :day is date and cannot be given as Date',
      'one for a list: :id is _int8 and cannot be given as number',
      'field of a list: :keys.name is not declared',
      'field of a list: :keys.id is _text and cannot be given as number[]',
      'column left out: no column is named name',
      'column too many: the column name is not declared',
      'column of another type: id is int8 and cannot be read as string',
      'column that may be null: taxId may be null: declare it so, or as `present`',
      'marked for nothing: name need not be declared as `present`',
      'never undefined: the column name is never undefined',
      'twice: two columns are named id',
    ]);
    expect(declarations.hidden.filter(isPlanted)).toHaveLength(1);
  });
});
