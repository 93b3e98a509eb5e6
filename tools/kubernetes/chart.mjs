// The Helm chart, the kustomize base that is rendered from it, and the programs that render both.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../lib/fault.mjs';
import { root } from '../lib/workspace.mjs';
import { parseObjects } from './type-errors.mjs';

export const folder = path.join(root, 'deploy/kubernetes');
const CHART = path.join(folder, 'chart');
export const BASE = path.join(folder, 'base');
const SUMS = path.join(BASE, 'SHA256SUMS');

/** The release's name, which begins the name of each object. */
const RELEASE = 'counterfoil';
/** Overlays replace it. */
export const PLACEHOLDER = ['config.PUBLIC_URL=https://api.example.com'];

const CONFIG = 'config.yaml';
const HEADER = '# Rendered from ../chart by `npm run kubernetes`: do not change it here.\n';

/** @returns {string} standard output */
function run(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new Fault(`${program} is not installed: https://kubernetes.io/docs/tasks/tools, https://helm.sh`);
    throw new Fault(`${program} ${args.join(' ')}:`, String(error.stderr).trim());
  }
}

const settings = (values) => values.flatMap((value) => ['--set-string', value]);

/** @param {string[]} values as `name=value` */
export function lint(values) {
  run('helm', ['lint', '--strict', '--quiet', CHART, ...settings(values)]);
}

/** @returns {string} the YAML of all objects */
export function renderChart(values, more = []) {
  return run('helm', ['template', RELEASE, CHART, ...settings(values), ...more]);
}

/** @returns {object[]} the objects that an overlay gives */
export function buildOverlay(name) {
  return parseObjects(run('kubectl', ['kustomize', path.join(folder, name)]));
}

/** @returns {Map<string, string>} the content of each file of the base, by name */
export function renderBase() {
  const rendered = renderChart(PLACEHOLDER, ['--set', 'forKustomize=true']);
  const files = new Map();
  for (const part of rendered.split(/^---\n/m).filter((text) => text.trim() !== '')) {
    const [, name, body] = /^# Source: .*\/(.+)\n([^]*)$/.exec(part);
    files.set(name, [...(files.get(name) ?? []), body.trim()]);
  }
  const base = new Map();
  for (const [name, bodies] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name === CONFIG) base.set('counterfoil.env', HEADER + envOf(bodies[0]));
    else base.set(name, `${HEADER}${bodies.join('\n---\n')}\n`);
  }
  return base;
}

/** The ConfigMap as a file, of which kustomize makes one with a hash in its name. */
function envOf(yaml) {
  const [{ data }] = parseObjects(yaml);
  return Object.entries(data)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

export function writeBase() {
  for (const [name, text] of renderBase()) fs.writeFileSync(path.join(BASE, name), text);
  fs.writeFileSync(SUMS, sums());
}

/** @returns {string[]} names of files that differ from what the chart renders */
export function differingFiles() {
  const files = [...renderBase()].filter(([name, text]) => read(path.join(BASE, name)) !== text);
  const names = files.map(([name]) => name);
  return read(SUMS) === sums() ? names : [...names, 'SHA256SUMS'];
}

const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null);

/**
 * The checksums of the chart and of what was rendered from it, as `sha256sum` prints them in the folder of the base. A
 * unit test compares them, so that it needs no helm to notice a change of one without the other.
 */
function sums() {
  const chart = fs.readdirSync(CHART, { recursive: true, withFileTypes: true });
  const files = chart
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
  const rendered = fs
    .readdirSync(BASE)
    .filter((name) => /\.(yaml|env)$/.test(name) && name !== 'kustomization.yaml');
  return [...files, ...rendered.map((name) => path.join(BASE, name))]
    .map((file) => [path.relative(BASE, file).replaceAll(path.sep, '/'), fs.readFileSync(file)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('');
}
