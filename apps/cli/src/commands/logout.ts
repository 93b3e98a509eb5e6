import type { Command } from 'commander';
import type { Context } from '../context';
import { examples } from '../help';
import { DEFAULT_PROFILE } from '../login-file';

export function registerLogoutCommand(program: Command, context: Context): void {
  program
    .command('logout')
    .description('delete the stored key')
    .addHelpText(
      'after',
      `\nThe key itself stays valid: an owner revokes it in the service.\n${examples(
        'counterfoil logout',
        'counterfoil logout --profile live',
      )}`,
    )
    .action(async () => {
      const { profile = DEFAULT_PROFILE } = context.options();
      const removed = await context.logins.remove(profile);
      context.output.print(
        { profile, removed },
        removed ? 'The stored key is deleted.' : 'No key was stored.',
      );
    });
}
