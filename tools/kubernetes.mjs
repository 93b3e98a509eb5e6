// `npm run kubernetes`: renders the kustomize base from the Helm chart, so that both deploy the same objects. It needs helm.
// `npm run kubernetes -- --check`: changes nothing, and checks that they do, and that each variant of the chart renders
// valid objects. It needs kubectl as well.
import { isDeepStrictEqual } from 'node:util';
import { Fault } from './lib/fault.mjs';
import { complain, say } from './lib/report.mjs';
import {
  buildOverlay,
  differingFiles,
  lint,
  PLACEHOLDER,
  renderChart,
  writeBase,
} from './kubernetes/chart.mjs';
import { parseObjects, typeErrors } from './kubernetes/type-errors.mjs';

/** Values of the chart that render other objects than the default ones. */
const VARIANTS = {
  'files in S3': ['--set-string', 'config.S3_BUCKET=files'],
  'a claim of your own': ['--set', 'files.existingClaim=mine'],
  'jobs in PostgreSQL': ['--set', 'secrets.runtime.files.REDIS_URL=null'],
  'a pooler': [
    ...['--set', 'secrets.runtime.files.DIRECT_DATABASE_URL=direct-database-url'],
    ...['--set', 'config.STATEMENT_TIMEOUT=30s'],
  ],
  'a replica': ['--set', 'secrets.runtime.files.REPLICA_DATABASE_URL=replica-database-url'],
  'a fixed number of workers': ['--set', 'worker.autoscaling.enabled=false'],
  'an image by digest': [
    '--set',
    `image.digest=sha256:${'0'.repeat(64)}`,
    '--set',
    'image.pullSecrets={registry}',
  ],
  'monitors of the operator': [
    '--set',
    'podMonitor.enabled=true',
    '--set',
    'podMonitor.labels.release=prometheus',
  ],
  'no network policies': ['--set', 'networkPolicy.enabled=false'],
  'narrow network policies': [
    ...['--set', 'networkPolicy.apiFrom[0].podSelector.matchLabels.app=proxy'],
    ...['--set', 'networkPolicy.storesAt[0].ipBlock.cidr=10.0.0.0/24'],
    ...['--set', 'networkPolicy.extraEgress[0].to[0].ipBlock.cidr=10.1.0.0/24'],
  ],
  'nodes of its own': [
    ...['--set', 'api.nodeSelector.pool=api', '--set', 'worker.tolerations[0].operator=Exists'],
    ...['--set', 'serviceAccount.annotations.role=files', '--set', 'files.storageClassName=shared'],
  ],
};

const OF_HELM = /^(helm\.sh\/hook|checksum\/)/;

function check() {
  lint(PLACEHOLDER);
  const differing = differingFiles();
  if (differing.length > 0)
    throw new Fault(
      `deploy/kubernetes/base differs from the chart: ${differing.join(', ')}`,
      'Run `npm run kubernetes`.',
    );
  const chart = parseObjects(renderChart(PLACEHOLDER));
  requireValid('the chart', chart);
  requireSame(chart, buildOverlay('base'));
  requireValid('the example', buildOverlay('example'));
  for (const [name, values] of Object.entries(VARIANTS))
    requireValid(`the chart with ${name}`, parseObjects(renderChart(PLACEHOLDER, values)));
  const variants = Object.keys(VARIANTS).length;
  say(
    `${chart.length} objects, the same by helm and by kustomize; the example and ${variants} variants are valid`,
  );
}

function requireValid(name, objects) {
  const errors = typeErrors(objects);
  if (errors.length > 0) throw new Fault(`${name}:`, ...errors);
}

function requireSame(chart, base) {
  const [one, other] = [chart, base].map(comparable);
  if (isDeepStrictEqual(one, other)) return;
  const names = new Set([...one.keys(), ...other.keys()]);
  const differing = [...names].filter((name) => !isDeepStrictEqual(one.get(name), other.get(name)));
  throw new Fault(`helm and kustomize give different objects: ${differing.join(', ')}`);
}

/** The objects by kind and name, without the annotations of Helm and the hash that kustomize appends to a name. */
function comparable(objects) {
  const { name } = objects.find(({ kind }) => kind === 'ConfigMap').metadata;
  const named = JSON.parse(JSON.stringify(objects).replaceAll(`"${name}"`, '"counterfoil"'));
  return new Map(named.map((object) => [`${object.kind} ${object.metadata.name}`, withoutHelm(object)]));
}

function withoutHelm(object) {
  for (const metadata of [object.metadata, object.spec?.template?.metadata ?? {}]) {
    const kept = Object.entries(metadata.annotations ?? {}).filter(([name]) => !OF_HELM.test(name));
    delete metadata.annotations;
    if (kept.length > 0) metadata.annotations = Object.fromEntries(kept);
  }
  return object;
}

try {
  if (process.argv.includes('--check')) check();
  else writeBase();
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
