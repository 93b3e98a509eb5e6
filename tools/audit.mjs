// `npm run audit`: asks the registry for known vulnerabilities of production packages. Exits with 1 if one is high or
// critical and not among the exceptions. An unreachable registry is reported, but is no failure.
import { spawnSync } from 'node:child_process';
import { say } from './lib/report.mjs';
import { root } from './lib/workspace.mjs';

const FAILING = ['high', 'critical'];
/** Advisories that do not apply to this service, by URL, each with the reason: `'https://…/GHSA-…': 'why'`. */
const EXCEPTIONS = {};

// In offline mode, npm would report no vulnerabilities without asking.
const ARGUMENTS = ['audit', '--omit=dev', '--json', '--no-offline'];
// By default, npm waits five minutes for an unresponsive registry, which is too long for a part of every check.
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

/** Ignores packages that are listed only because of a dependency: the advisory is listed with the vulnerable package. */
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
