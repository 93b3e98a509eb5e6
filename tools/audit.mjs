// `npm run audit`: asks the registry for known vulnerabilities of the packages that run in production. Ends with 1 on
// one that is high or critical and not among the exceptions; a registry that does not answer is said, and is no failure.
import { spawnSync } from 'node:child_process';
import { say } from './lib/report.mjs';
import { root } from './lib/workspace.mjs';

const FAILING = ['high', 'critical'];
/** Advisories by their address that do not concern this service, each with its reason: `'https://…/GHSA-…': 'why'`. */
const EXCEPTIONS = {};

// Offline, npm would find nothing in nothing.
const ARGUMENTS = ['audit', '--omit=dev', '--json', '--no-offline'];
// npm would wait five minutes for a registry that says nothing, and this is part of every check.
const env = { npm_config_fetch_timeout: '20000', ...process.env };
const { stdout } = spawnSync('npm', ARGUMENTS, { cwd: root, encoding: 'utf8', env });
const report = parsed(stdout);
if (report?.vulnerabilities === undefined) {
  const reason = report?.message ?? report?.error?.summary ?? 'it gave no answer';
  say(`not audited: the registry answers no audit (${reason})`);
} else {
  const found = advisories(report.vulnerabilities);
  const failing = found.filter(({ severity, url }) => FAILING.includes(severity) && !(url in EXCEPTIONS));
  for (const { name, severity, title, url } of failing)
    console.error(`${name}: ${severity}: ${title} (${url})`);
  say(
    `${found.length} known vulnerabilities in packages of production, ${failing.length} of them to be mended`,
  );
  process.exitCode = failing.length === 0 ? 0 : 1;
}

/** A package may be named only for what it depends on; each advisory stands with the package that it is about. */
function advisories(vulnerabilities) {
  const all = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((one) => typeof one === 'object'),
  );
  return [...new Map(all.map((one) => [one.url, one])).values()];
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
