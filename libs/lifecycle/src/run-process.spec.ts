import { ConfigError } from '@counterfoil/config';
import { faultLines, Faults } from './run-process';

describe('faultLines', () => {
  it.each<[string, unknown, string[]]>([
    [
      'all faults of a configuration',
      new ConfigError(['PORT is wrong', 'HOST is wrong']),
      ['PORT is wrong', 'HOST is wrong'],
    ],
    ['all of several faults', new Faults(['line 2 is wrong', 'line 3 is']), ['line 2 is wrong', 'line 3 is']],
    ['the first line of a message', new Error('broken\n    at somewhere'), ['broken']],
    ['the name of an error without a message', new TypeError(), ['TypeError']],
    ['any other thrown value', 'broken', ['broken']],
  ])('returns %s', (_, error, lines) => {
    expect(faultLines(error)).toEqual(lines);
  });
});
