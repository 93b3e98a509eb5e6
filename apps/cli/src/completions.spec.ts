import { execFileSync } from 'node:child_process';
import { readEnvironment } from './environment';
import { bashCompletions } from './bash-completions';
import { allNodes, commandTree } from './command-tree';
import { buildProgram } from './program';
import { zshCompletions } from './zsh-completions';

const quiet = { write: () => true };
const { program } = buildProgram({
  environment: readEnvironment({}),
  stdin: process.stdin,
  stdout: quiet,
  stderr: quiet,
  signal: new AbortController().signal,
});
const tree = commandTree(program);

/** Runs the script in bash as if Tab was pressed behind the words. */
function offered(...words: readonly string[]): string[] {
  const typed = ['counterfoil', ...words];
  const script = `${bashCompletions(tree)}
    COMP_WORDS=(${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
    _counterfoil; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}

describe('completions for bash', () => {
  it('offer commands, their commands and their values', () => {
    expect(offered('')).toEqual(program.commands.map((command) => command.name()));
    expect(offered('doc')).toEqual(['documents']);
    expect(offered('documents', 'l')).toEqual(['list']);
    expect(offered('documents', 'create', 'TAX')).toEqual(['TAX_INVOICE', 'TAX_INVOICE_RECEIPT']);
    expect(offered('completions', '')).toEqual(['bash', 'zsh']);
  });

  it('offer options and their values, also behind those of the program', () => {
    expect(offered('documents', 'list', '--st')).toEqual(['--status']);
    expect(offered('documents', 'list', '--status', 'CL')).toEqual(['CLOSED']);
    expect(offered('--json', 'deliveries', 'list', '--state', 'd')).toEqual(['delivered', 'dropped']);
    expect(offered('documents', '--pro')).toEqual(['--profile']);
  });

  it('offer nothing of their own where a file or a free text belongs', () => {
    expect(offered('vendors', 'import', '')).toEqual([]);
    expect(offered('documents', 'list', '--search', '')).toEqual([]);
  });
});

describe('completions for zsh', () => {
  const script = zshCompletions(tree);

  it('have a function for each command, with its commands or its options', () => {
    for (const { path, commands, options } of allNodes(tree)) {
      const [, body = ''] = script.split(`\n_counterfoil${path.map((name) => `_${name}`).join('')}() {\n`);
      const own = body.split('\n}\n')[0]!;
      for (const name of options.flatMap(({ names }) => names)) expect(own).toContain(`${name}[`);
      for (const command of commands) expect(own).toContain(`${command.path.at(-1)}:`);
    }
  });

  it('quote what descriptions contain', () => {
    const option = { names: ['--odd'], description: "it's [a]: b", takesValue: true, values: ['x', 'y'] };
    const odd = { path: [], description: '', commands: [], options: [option], values: [] };
    expect(zshCompletions(odd)).toContain(`'--odd[it'\\''s \\[a\\]\\: b]:value:(x y)'`);
  });
});
