// Compares Kubernetes objects with the types of its API. TypeScript reports unknown fields, missing ones and values of a
// wrong type, as the API server does with strict validation. Run as a program, it checks the YAML files that it is given.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { root } from '../lib/workspace.mjs';

/** The module of each API group. Packages for custom resources are not installed: their objects are not checked. */
const MODULES = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
};
const CUSTOM = ['monitoring.coreos.com/v1', 'kustomize.config.k8s.io/v1beta1'];

const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

export const parseObjects = (yaml) =>
  parseAllDocuments(yaml)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS();
    })
    .filter((object) => object !== null);

/** @returns {string[]} one line for each error, empty if all objects are valid */
export function typeErrors(objects) {
  const checked = objects.filter(({ apiVersion }) => !CUSTOM.includes(apiVersion));
  const unknown = checked.filter(({ apiVersion }) => !MODULES[apiVersion]);
  const lines = checked.filter((object) => !unknown.includes(object)).map(declarationOf);
  return [
    ...unknown.map((object) => `${nameOf(object)}: unknown apiVersion ${object.apiVersion}`),
    ...compile(lines.join('\n')).map(({ line, message }) => `${lines[line].split(' ', 2)[1]}: ${message}`),
  ];
}

const nameOf = ({ kind, metadata }) => `${kind}_${metadata?.name}`.replaceAll(/\W/g, '_');

/** One line, so that the line of an error tells the object. */
function declarationOf(object, index) {
  const type = `import('kubernetes-types/${MODULES[object.apiVersion]}').${object.kind}`;
  return `const ${nameOf(object)}_${index}: ${type} = ${JSON.stringify(object)};`;
}

function compile(text) {
  const file = path.join(root, 'kubernetes-objects.ts');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext)
      : getSourceFile.call(host, name, ...rest);
  const program = ts.createProgram([file], OPTIONS, host);
  const source = program.getSourceFile(file);
  return ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => ({
    line: source.getLineAndCharacterOfPosition(start).line,
    message: ts.flattenDiagnosticMessageText(messageText, ' '),
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = process.argv.slice(2);
  const errors = typeErrors(files.flatMap((file) => parseObjects(fs.readFileSync(file, 'utf8'))));
  for (const error of errors) console.error(error);
  process.exit(errors.length > 0 ? 1 : 0);
}
