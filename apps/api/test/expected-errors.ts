import type { ExpectedError } from './error-body';

export const invalid = (field?: string): ExpectedError => ({
  ...{ status: 400, code: 'VALIDATION_FAILED' },
  ...(field === undefined ? {} : { field }),
});
export const unknown = (field: string): ExpectedError => ({ status: 400, code: 'UNKNOWN_REFERENCE', field });
export const noKey: ExpectedError = { status: 401, code: 'UNAUTHENTICATED' };
export const forbidden: ExpectedError = { status: 403, code: 'FORBIDDEN' };
export const notFound: ExpectedError = { status: 404, code: 'NOT_FOUND' };
export const invalidState: ExpectedError = { status: 409, code: 'INVALID_STATE' };
export const tooLarge: ExpectedError = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
