import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { until } from '@counterfoil/test-harness';
import { CliHome } from './cli-process';

const TAB = '\t';
/** Ctrl-T, bound to a command that prints the edited line and empties it. */
const SHOW = '\x14';
const START_MAX_MS = 60_000;

const home = new CliHome();

/** An interactive shell on a terminal, which has loaded the completions as docs/cli.md says. */
class Shell {
  private printed = '';

  private constructor(private readonly terminal: ChildProcessWithoutNullStreams) {
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
  }

  static async start(command: string, setUp: readonly string[]): Promise<Shell> {
    const script = ['--quiet', '--return', '--flush', '--command', command, '/dev/null'];
    const terminal = spawn('script', script, { cwd: home.folder, env: { ...home.env, SHELL: '/bin/sh' } });
    const shell = new Shell(terminal);
    for (const line of [...setUp, 'echo set-"up"']) terminal.stdin.write(`${line}\n`);
    await until('the shell', () => shell.printed.includes('set-up'), START_MAX_MS);
    return shell;
  }

  /** Types a command and Tab. @returns the line as it then is */
  async completed(typed: string): Promise<string> {
    this.printed = '';
    this.terminal.stdin.write(`counterfoil ${typed}${TAB}${SHOW}`);
    const line = await until('the line', () => /<<counterfoil (.*?)>>/.exec(this.printed), START_MAX_MS);
    return line[1] ?? '';
  }

  end(): void {
    this.terminal.kill('SIGKILL');
  }
}

const SHOW_IN_ZSH = `show() { print -r -- "<<$BUFFER>>"; BUFFER='' }; zle -N show; bindkey '^T' show`;
const COMPINIT = `autoload -Uz compinit; compinit -u -d '${home.folder}/dump'`;

const SHELLS: Readonly<Record<string, () => Promise<Shell>>> = {
  bash: () =>
    Shell.start('bash --norc --noprofile -i', [
      `source <(${home.command} completions bash)`,
      `bind -x '"\\C-t": printf "<<%s>>\\n" "$READLINE_LINE"; READLINE_LINE=""'`,
    ]),
  zsh: () => Shell.start('zsh -f -i', [COMPINIT, `source <(${home.command} completions zsh)`, SHOW_IN_ZSH]),
  'zsh, from a file': () => {
    const folder = path.join(home.folder, 'functions');
    mkdirSync(folder);
    return Shell.start('zsh -f -i', [
      `fpath=('${folder}' $fpath)`,
      `${home.command} completions zsh > '${folder}/_counterfoil'`,
      COMPINIT,
      SHOW_IN_ZSH,
    ]);
  },
};

afterAll(() => home.remove());

/** Each shell is tested where it is installed. CI installs both. */
const isInstalled = (name: string): boolean => spawnSync(name, ['-c', 'exit']).status === 0;

for (const [name, start] of Object.entries(SHELLS))
  (isInstalled(name.split(',')[0]!) ? describe : describe.skip)(`completions in ${name}`, () => {
    let shell: Shell;

    beforeAll(async () => {
      home.write('vendors.csv', '');
      shell = await start();
    }, 2 * START_MAX_MS);
    afterAll(() => shell?.end());

    it.each([
      ['docu', 'documents '],
      ['documents li', 'documents list '],
      ['documents create TAX_INVOICE_R', 'documents create TAX_INVOICE_RECEIPT '],
      ['listen --forw', 'listen --forward-to '],
      ['documents list --status CL', 'documents list --status CLOSED '],
      ['--json deliveries list --state dro', '--json deliveries list --state dropped '],
      ['completions z', 'completions zsh '],
      ['vendors import vend', 'vendors import vendors.csv '],
      ['no-such-command x', 'no-such-command x'],
    ])('complete %j to %j', async (typed, line) => {
      expect(await shell.completed(typed)).toBe(line);
    });
  });
