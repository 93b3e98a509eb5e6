// `npm run sbom`: writes release/sbom.cdx.json, the production packages in CycloneDX format. It reads only the lock file
// and needs no network. The output is deterministic, so that two releases can be compared.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { productionPackages } from './lib/production-packages.mjs';
import { say, shown } from './lib/report.mjs';
import { root } from './lib/workspace.mjs';

const MOST_BYTES = 64 * 1024 * 1024;
const ARGUMENTS = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--offline'];

const [folder = root, file = path.join(root, 'release/sbom.cdx.json')] = process.argv.slice(2);
const { name } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
const stated = JSON.parse(
  execFileSync('npm', ARGUMENTS, {
    cwd: folder,
    maxBuffer: MOST_BYTES,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
// --omit=dev would also omit production packages on which a development package depends.
const production = new Set(productionPackages(folder).map((one) => `${one.name}@${one.version}`));
stated.components = stated.components.filter((one) => production.has(`${one.name}@${one.version}`));
const kept = new Set([
  stated.metadata.component['bom-ref'],
  ...stated.components.map((one) => one['bom-ref']),
]);
stated.dependencies = stated.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
// npm inserts the folder's name, the time and a random number, which would differ between runs.
stated.metadata.component.name = name;
delete stated.metadata.timestamp;
delete stated.serialNumber;
stated.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(stated))}`;

fs.mkdirSync(path.dirname(file), { recursive: true });
fs.writeFileSync(file, `${JSON.stringify(stated, null, 2)}\n`);
say(`${stated.components.length} packages in ${shown(file)}`);

/** A UUID of version 8, which is reserved for custom content such as a hash. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
