import { AppError } from '@counterfoil/kernel';
import { BadRequestException, ForbiddenException, ServiceUnavailableException } from '@nestjs/common';
import { toAppError } from './api-error.filter';

const fault = (properties: object) => Object.assign(new Error('secret insides'), properties);

describe('an error', () => {
  it('is passed on unchanged if it is an AppError', () => {
    const error = new AppError('LIMIT_REACHED', 'too many');
    expect(toAppError(error)).toBe(error);
  });

  it.each([
    ['a malformed request', new BadRequestException(), 'VALIDATION_FAILED'],
    ['a path outside the docs page', new ForbiddenException(), 'NOT_FOUND'],
    ['a body that is too large', fault({ statusCode: 413 }), 'PAYLOAD_TOO_LARGE'],
    ['a body of another type', fault({ statusCode: 415 }), 'UNSUPPORTED_MEDIA_TYPE'],
    ['headers that are too large', fault({ statusCode: 431 }), 'VALIDATION_FAILED'],
    ['a status of the caller that nobody foresaw', fault({ statusCode: 418 }), 'VALIDATION_FAILED'],
    ['a status of ours', new ServiceUnavailableException(), 'INTERNAL'],
    ['a status that is none', fault({ statusCode: 'x' }), 'INTERNAL'],
    ['an error of the language', new TypeError('secret insides'), 'INTERNAL'],
    ['a rule of the database', fault({ code: '23514' }), 'INTERNAL'],
    ['something that is no error', 'secret insides', 'INTERNAL'],
    ['nothing', undefined, 'INTERNAL'],
  ])('such as %s is converted, without its own message', (_, thrown, code) => {
    const error = toAppError(thrown);
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('secret insides');
    expect(error.cause).toBe(thrown);
  });

  it.each(['ECONNREFUSED', '57P01', '08006', '53300', '40P01', '57014'])(
    'of an absent or busy database (%s) says when to try again',
    (code) => {
      expect(toAppError(fault({ code }))).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
    },
  );

  it('of a statement that timed out says how to narrow the request', () => {
    expect(toAppError(fault({ code: '57014' })).message).toMatch(/took too long; narrow the request/);
    expect(toAppError(fault({ code: '57P01' })).message).not.toMatch(/narrow the request/);
  });
});
