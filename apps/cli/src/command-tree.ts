import type { Argument, Command, Option } from 'commander';

/** A command as completions need it. */
export interface CommandNode {
  /** Its name after those of the commands above; empty for the program. */
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly CommandNode[];
  readonly options: readonly OptionNode[];
  /** The values of its first argument, if they are fixed. */
  readonly values: readonly string[];
}

export interface OptionNode {
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

/** Reads the tree from the program, so that completions cannot differ from it. */
export function commandTree(program: Command): CommandNode {
  const everywhere = program.options.map(optionOf);
  const help = { names: ['-h', '--help'], description: 'print this help', takesValue: false, values: [] };
  return nodeOf(program, [], [...everywhere, help]);
}

function nodeOf(command: Command, path: readonly string[], everywhere: readonly OptionNode[]): CommandNode {
  const own = path.length === 0 ? [] : command.options.map(optionOf);
  const first = command.registeredArguments[0] as (Argument & { argChoices?: string[] }) | undefined;
  return {
    path,
    description: command.description(),
    commands: command.commands.map((child) => nodeOf(child, [...path, child.name()], everywhere)),
    options: [...own, ...everywhere],
    values: first?.argChoices ?? [],
  };
}

function optionOf({ short, long, description, required, optional, argChoices }: Option): OptionNode {
  const names = [short, long].filter((name) => name !== undefined && name !== null);
  return { names, description, takesValue: required || optional, values: argChoices ?? [] };
}

/** Every node, the program first. */
export function allNodes(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.commands.flatMap(allNodes)];
}
