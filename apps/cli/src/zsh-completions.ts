import { allNodes, type CommandNode, type OptionNode } from './command-tree';

/** A script for zsh, with a function for each command and its descriptions. */
export function zshCompletions(tree: CommandNode): string {
  return `#compdef counterfoil
# Completions of counterfoil for zsh: source <(counterfoil completions zsh), or a file _counterfoil in a folder of fpath
${allNodes(tree).map(functionOf).join('\n')}
if [ "$funcstack[1]" = "_counterfoil" ]; then _counterfoil "$@"; else compdef _counterfoil counterfoil; fi
`;
}

const nameOf = (path: readonly string[]): string => ['_counterfoil', ...path].join('_').replaceAll('-', '_');

function functionOf(node: CommandNode): string {
  const options = node.options.map((option) => `    ${optionSpec(option)}`).join(' \\\n');
  if (node.commands.length === 0) {
    const rest =
      node.values.length === 0 ? "'*:file:_files'" : `'1:value:(${node.values.join(' ')})' '*:file:_files'`;
    return `${nameOf(node.path)}() {\n  _arguments -s \\\n${options} \\\n    ${rest}\n}\n`;
  }
  const commands = node.commands.map(({ path, description }) =>
    quoted(`${path.at(-1)}:${escaped(description)}`),
  );
  const cases = node.commands.map(({ path }) => `        ${path.at(-1)}) ${nameOf(path)} ;;`);
  return `${nameOf(node.path)}() {
  local state line commands=(${commands.join(' ')})
  _arguments -C \\
${options} \\
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}
`;
}

/** An option takes the place of its other name. */
function optionSpec({ names, description, takesValue, values }: OptionNode): string {
  const action = values.length > 0 ? `(${values.join(' ')})` : '_files';
  const specs = names.map((name) => {
    const excluded = names.length > 1 ? `(${names.join(' ')})` : '';
    return quoted(`${excluded}${name}[${escaped(description)}]${takesValue ? `:value:${action}` : ''}`);
  });
  return specs.join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Characters that separate the parts of a specification. */
const escaped = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&');
