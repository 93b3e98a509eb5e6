import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { UNAVAILABLE_REASONS } from '@counterfoil/kernel';
import { parse } from 'yaml';

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');

interface Rule {
  readonly alert: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Test {
  readonly alert_rule_test?: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly unknown[];
  }[];
}

const ALERTS = 'deploy/prometheus/alerts.yml';
const TESTS = 'deploy/prometheus/alerts.test.yml';
const CONFIG = 'deploy/prometheus/prometheus.yml';
const DASHBOARD = 'deploy/grafana/counterfoil.json';
const { groups } = parse(read(ALERTS)) as { groups: readonly { readonly rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { tests } = parse(read(TESTS)) as { tests: readonly Test[] };
const documented = new Set(
  [...read('docs/operations.md').matchAll(/^\| `(counterfoil_\w+)`/gm)].map(([, name]) => name),
);

describe('monitoring', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s has a section of the runbook',
    (alert, rule) => {
      expect(['page', 'ticket']).toContain(rule.labels.severity);
      expect(rule.annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      const [, section = ''] = read('docs/runbook.md').split(`\n## ${alert}\n`);
      const [text = ''] = section.split('\n## ');
      expect(text).toContain('**Look');
      expect(text).toContain('**Do**');
    },
  );

  it('has no section without an alert', () => {
    const sections = [...read('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, alert]) => alert);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
  });

  it('tests that each alert fires', () => {
    const cases = tests.flatMap((test) => test.alert_rule_test ?? []);
    const firing = cases.filter(({ exp_alerts: expected }) => expected.length > 0);
    const tested = new Set(firing.map(({ alertname }) => alertname));
    expect(rules.map(({ alert }) => alert).filter((alert) => !tested.has(alert))).toEqual([]);
  });

  it.each([ALERTS, TESTS, DASHBOARD])('%s uses only metrics that exist', (file) => {
    const names = [...read(file).matchAll(/\bcounterfoil_\w+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('documents each reason of a 503', () => {
    const [, table = ''] = read('docs/operations.md').split('\n| `reason`');
    const [rows = ''] = table.split('\n\n');
    expect([...rows.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason)).toEqual([...UNAVAILABLE_REASONS]);
  });

  it('shows every metric on the dashboard', () => {
    const dashboard = read(DASHBOARD);
    expect([...documented].filter((name) => !dashboard.includes(name!))).toEqual([]);
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  (hasPromtool ? it : it.skip)('passes the tests of promtool', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', path.join(ROOT, TESTS)]);
    expect({ status, output: String(stdout) + String(stderr) }).toMatchObject({ status: 0 });
  });

  (hasPromtool ? it : it.skip)('has a configuration of Prometheus that promtool accepts', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', path.join(ROOT, CONFIG)]);
    expect({ status, output: String(stdout) + String(stderr) }).toMatchObject({ status: 0 });
  });
});
