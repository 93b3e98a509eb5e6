import { ConfigError } from '@counterfoil/config';
import { faultLines, Faults } from './run-process';

describe('what an operator is told of an error', () => {
  it.each<[string, unknown, string[]]>([
    [
      'each fault of a configuration',
      new ConfigError(['PORT is wrong', 'HOST is wrong']),
      ['PORT is wrong', 'HOST is wrong'],
    ],
    [
      'each of several faults',
      new Faults(['line 2 is wrong', 'line 3 is']),
      ['line 2 is wrong', 'line 3 is'],
    ],
    ['the first line of a message', new Error('broken\n    at somewhere'), ['broken']],
    ['the name of an error without a message', new TypeError(), ['TypeError']],
    ['whatever else was thrown', 'broken', ['broken']],
  ])('is %s', (_, error, lines) => {
    expect(faultLines(error)).toEqual(lines);
  });
});
