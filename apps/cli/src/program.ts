import { Command, CommanderError } from 'commander';
import { registerCompletionsCommand } from './commands/completions';
import { registerDeliveriesCommand } from './commands/deliveries';
import { registerDocumentsCommand } from './commands/documents';
import { registerExtractCommand } from './commands/extract';
import { registerListenCommand } from './commands/listen';
import { registerLoginCommand } from './commands/login';
import { registerLogoutCommand } from './commands/logout';
import { registerOpenapiCommand } from './commands/openapi';
import { registerTriggerCommand } from './commands/trigger';
import { registerSeedCommand } from './commands/seed';
import { registerVendorsCommand } from './commands/vendors';
import { Context, type GlobalOptions, type Surroundings } from './context';
import { EXIT, type ExitCode, failureOf } from './failure';
import { examples } from './help';
import { VERSION } from './version';

/** Every command, in the order of the help. Each stands in its own file. */
const COMMANDS = [
  registerLoginCommand,
  registerLogoutCommand,
  registerListenCommand,
  registerTriggerCommand,
  registerDocumentsCommand,
  registerVendorsCommand,
  registerExtractCommand,
  registerDeliveriesCommand,
  registerSeedCommand,
  registerOpenapiCommand,
  registerCompletionsCommand,
];

/** The options that every command has; its own are in its file. */
function createProgram(): Command {
  return new Command('counterfoil')
    .description('The command line of Counterfoil.')
    .version(VERSION, '-V, --version', 'print the version')
    .option('--json', 'print each result as one line of JSON')
    .option('--url <address>', 'the service, instead of that of the login')
    .option('--key <key>', 'its key; other users of the machine can see arguments, so prefer login')
    .option('--profile <name>', 'the stored login to use')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      examples(
        'counterfoil login --url https://books.example.com',
        'counterfoil listen --forward-to http://localhost:8080/hooks',
        'counterfoil help documents create',
      ),
    )
    .showHelpAfterError('(--help shows how to use it)')
    .exitOverride();
}

/** Commander's own help command knows no commands within commands. */
function registerHelp(program: Command): void {
  program
    .command('help')
    .description('print the help of a command')
    .argument('[command...]', 'the command, and the one within it')
    .addHelpText('after', examples('counterfoil help listen', 'counterfoil help documents create'))
    .action((names: string[]) => {
      const command = names.reduce<Command>((parent, name) => childOf(parent, name), program);
      command.outputHelp();
    });
}

function childOf(parent: Command, name: string): Command {
  const child = parent.commands.find((command) => command.name() === name);
  return child ?? parent.error(`error: unknown command '${name}'`, { exitCode: EXIT.usage });
}

/** @returns the program with its commands, not run yet */
export function buildProgram(surroundings: Surroundings): { program: Command; context: Context } {
  const program = createProgram();
  const { stdout, stderr } = surroundings;
  program.configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
  });
  const context = new Context(surroundings, () => program.opts<GlobalOptions>());
  for (const register of COMMANDS) register(program, context);
  registerHelp(program);
  return { program, context };
}

/** Runs the command that the arguments name, reports its failure, and returns its exit code. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { program, context } = buildProgram(surroundings);
  try {
    await program.parseAsync(args, { from: 'user' });
    return surroundings.signal.aborted ? EXIT.interrupted : EXIT.ok;
  } catch (error) {
    // Commander has printed the help or the mistake already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const failure = failureOf(error, surroundings.signal);
    context.output.fail(failure);
    return failure.exitCode;
  }
}
