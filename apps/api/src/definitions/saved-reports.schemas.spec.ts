import type { AppError } from '@counterfoil/kernel';
import { createValidationPipe } from '../http/validation';
import { CreateSavedReportBody, SavedReportPipe } from './saved-reports.schemas';

type Body = Record<string, unknown>;
const HOSTILE = '{"constructor":{"a":[{"prototype":1}]},"prototype":{"b":2},"then":"x","toString":null}';
const aBody = (more = ''): Body => JSON.parse(`{"name":"Unpaid","filters":${HOSTILE}${more}}`) as Body;

const pipe = new SavedReportPipe();

async function problemsOf(body: Body | undefined): Promise<string[]> {
  const failed = (await pipe.transform(body).catch((error: unknown) => error)) as AppError;
  return failed.details!.map(({ field, problem }) => `${field} ${problem}`);
}

it('keeps filters as they were sent, unlike the validation pipe', async () => {
  const { name, filters } = await pipe.transform(aBody());
  expect({ name, filters: JSON.stringify(filters) }).toEqual({ name: 'Unpaid', filters: HOSTILE });
  const metadata = { type: 'body', metatype: CreateSavedReportBody } as const;
  const other = (await createValidationPipe().transform(aBody(), metadata)) as CreateSavedReportBody;
  expect(JSON.stringify(other.filters)).not.toBe(HOSTILE);
});

it('keeps only the name and the filters', async () => {
  const report = await pipe.transform(aBody(',"id":7,"companyId":1,"constructor":{"name":"x"},"toString":5'));
  expect(Object.keys(report)).toEqual(['name', 'filters']);
});

it('reports all problems', async () => {
  expect(await problemsOf({ name: '', filters: [] })).toEqual([
    'name must not be empty',
    'filters must be an object',
  ]);
  for (const body of [undefined, {}, { name: null, filters: null }]) {
    expect(await problemsOf(body)).toEqual(['name is required', 'filters is required']);
  }
});
