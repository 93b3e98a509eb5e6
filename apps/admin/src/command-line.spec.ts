import { type CommandLine, readCommandLine, USAGE } from './command-line';

/** The usage of each command, without the words that call npm. */
const USAGES = USAGE.map((line) => line.replace(/^ +npm run -s admin -- /, ''));
const nameOf = (usage: string): string => usage.split(' ')[0] ?? '';

function lineOf(...args: string[]): CommandLine {
  const line = readCommandLine(args);
  if ('command' in line) return line;
  throw new Error(`no command: ${JSON.stringify(line)}`);
}

describe('the words of a call', () => {
  it.each(USAGES)('may have each option that the command names: %s', (usage) => {
    for (const [written, name = '', value] of usage.matchAll(/--([a-z-]+)( [A-Za-z])?/g)) {
      const given = value === undefined ? [`--${name}`] : [`--${name}`, 'some value'];
      const expected = value === undefined ? true : 'some value';
      expect({ written, options: { ...lineOf(nameOf(usage), ...given).options } }).toEqual({
        ...{ written, options: { [name]: expected } },
      });
    }
  });

  it('have the name of a command and its options, in any order', () => {
    const limits = lineOf('--company', '3', 'company:limits', '--daily-mails', '5000', '--file-bytes=1GiB');
    expect({ name: limits.command.name, options: { ...limits.options } }).toEqual({
      name: 'company:limits',
      options: { company: '3', 'daily-mails': '5000', 'file-bytes': '1GiB' },
    });
    expect({ ...lineOf('prepare', '--demo', '--demo-key-file', 'a', '--copied-database').options }).toEqual({
      ...{ demo: true, 'demo-key-file': 'a', 'copied-database': true },
    });
    expect({ ...lineOf('migrate').options }).toEqual({});
  });

  it.each([
    [['key:revoke', '--id', '5', '--company', '3'], "Unknown option '--company': key:revoke --id ID"],
    [['key:create', '--name', 'x'], "Unknown option '--name': key:create --company ID"],
    [['epoch:renew', '--json'], "Unknown option '--json': epoch:renew"],
    [['migrate', '--dry-run'], "Unknown option '--dry-run'"],
    [['key:list', '--constructor', '5'], "Unknown option '--constructor'"],
    [['key:revoke', '5', '--id', '6'], "Unexpected argument '5': key:revoke --id ID"],
    [['migrate', 'prepare'], "Unexpected argument 'prepare': migrate"],
  ])('are refused if the command does not take them: %s', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(message);
  });

  it.each(USAGES)('ask for the usage alone with --help: %s', (usage) => {
    const help = `  npm run -s admin -- ${usage}`;
    expect(readCommandLine([nameOf(usage), '--help'])).toEqual({ help });
    expect(readCommandLine(['--help', nameOf(usage), 'more', '--company', '3'])).toEqual({ help });
  });

  it('may name no command, or an unknown one', () => {
    expect(readCommandLine([])).toEqual({ unknown: undefined });
    expect(readCommandLine(['--help'])).toEqual({ unknown: undefined });
    expect(readCommandLine(['key:steal', '--help'])).toEqual({ unknown: 'key:steal' });
  });
});
