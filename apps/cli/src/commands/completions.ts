import { Argument, type Command } from 'commander';
import { bashCompletions } from '../bash-completions';
import { commandTree } from '../command-tree';
import type { Context } from '../context';
import { examples } from '../help';
import { zshCompletions } from '../zsh-completions';

const SHELLS = { bash: bashCompletions, zsh: zshCompletions };

export function registerCompletionsCommand(program: Command, { output }: Context): void {
  program
    .command('completions')
    .description('print completions for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      examples(
        'source <(counterfoil completions bash)   # in ~/.bashrc',
        'source <(counterfoil completions zsh)    # in ~/.zshrc, after compinit',
      ),
    )
    .action((shell: keyof typeof SHELLS) => output.raw(SHELLS[shell](commandTree(program))));
}
