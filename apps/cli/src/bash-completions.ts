import { allNodes, type CommandNode, type OptionNode } from './command-tree';

/**
 * A script for bash: finds the command among the words before the cursor, then offers its commands, values and
 * options. Elsewhere it offers files.
 */
export function bashCompletions(tree: CommandNode): string {
  const nodes = allNodes(tree);
  return `# Completions of counterfoil for bash: source <(counterfoil completions bash)
_counterfoil() {
  local word path='' words='' values=''
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${indented(nodes.filter(({ path }) => path.length > 0).map(descent))}
    esac
  done
  case "$path|$previous" in
${indented(nodes.flatMap(valueCases))}
  esac
  case "$path" in
${indented(nodes.map(wordCase))}
  esac
  [[ $current != -* ]] && words=$values
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _counterfoil counterfoil
`;
}

const indented = (lines: readonly string[]): string => lines.map((line) => `      ${line}`).join('\n');

const pathOf = ({ path }: CommandNode): string => path.join(' ');

/** A word that is a command below the one found so far. */
function descent(node: CommandNode): string {
  const before = node.path.slice(0, -1).join(' ');
  return `'${before} ${node.path.at(-1)}') path='${pathOf(node)}' ;;`;
}

/** Returns the branches of `case` that complete the value of an option: with its fixed values, or with file names. */
function valueCases(node: CommandNode): string[] {
  return node.options
    .filter(({ takesValue }) => takesValue)
    .map((option) => `${patternsOf(node, option)}) ${offer(option.values)}; return ;;`);
}

const patternsOf = (node: CommandNode, { names }: OptionNode): string =>
  names.map((name) => `'${pathOf(node)}|${name}'`).join(' | ');

const offer = (values: readonly string[]): string =>
  values.length === 0 ? 'COMPREPLY=()' : `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$current"))`;

function wordCase(node: CommandNode): string {
  const options = node.options.flatMap(({ names }) => names).join(' ');
  const values = [...node.commands.map(({ path }) => path.at(-1)), ...node.values].join(' ');
  return `'${pathOf(node)}') words='${options}' values='${values}' ;;`;
}
