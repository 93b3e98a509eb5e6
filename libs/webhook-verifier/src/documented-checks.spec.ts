import { type Installation, installPackages } from '@counterfoil/test-harness';
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { documentedCode } from './testing/documented-code';
import { digestOf, nowSeconds, signed } from './testing/signed';

/** Runs the code samples of docs/webhooks.md, unchanged, in every language that is installed. */

const SECTION = 'Check the signature';
const SECRET = 'whsec_c2VjcmV0';
const BODY =
  '{"id":"evt_1","type":"document.created","created":1, "data":{"b":1.0,"name":"caf\\u00e9 שלום"}}';

interface Delivery {
  readonly body: string;
  readonly header: string;
}

/** A code sample, with code around it that checks deliveries one by one. */
interface Sample {
  readonly language: string;
  readonly command: string;
  readonly file: string;
  readonly program: () => string;
}

const samples: readonly Sample[] = [
  {
    language: 'Node',
    command: process.execPath,
    file: 'check.mjs',
    program: () => {
      const lines = documentedCode(SECTION, 'js', 'verifyWebhook({').split('\n');
      const imports = lines.filter((line) => line.startsWith('import '));
      const rest = lines.filter((line) => !line.startsWith('import '));
      return `${imports.join('\n')}
        import { json } from 'node:stream/consumers';
        const answers = (await json(process.stdin)).map(({ body, header }) => {
          const request = { headers: { 'service-signature': header } };
          try { ${rest.join('\n')}; return event.id; } catch (error) { return \`\${error.name}: \${error.reason}\`; }
        });
        console.log(JSON.stringify(answers));`;
    },
  },
  {
    language: 'Python',
    command: 'python3',
    file: 'check.py',
    program: () => `${documentedCode(SECTION, 'python')}
import os, sys

def judge(case):
    try:
        return verify_webhook(case["body"].encode(), case["header"], os.environ["WEBHOOK_SECRET"])["id"]
    except ValueError as error:
        return f"ValueError: {error}"

print(json.dumps([judge(case) for case in json.load(sys.stdin)]))
`,
  },
  {
    language: 'PHP',
    command: 'php',
    file: 'check.php',
    program: () => `${documentedCode(SECTION, 'php')}
function judge(array $case): string
{
    try {
        return verifyWebhook($case['body'], $case['header'], getenv('WEBHOOK_SECRET'))['id'];
    } catch (RuntimeException $error) {
        return "RuntimeException: {$error->getMessage()}";
    }
}

echo json_encode(array_map('judge', json_decode(stream_get_contents(STDIN), true)));
`,
  },
];

const isInstalled = ({ command }: Sample): boolean => spawnSync(command, ['--version']).status === 0;

type Case = readonly [what: string, delivery: Delivery, answer: RegExp];

/** Returns deliveries at a time, each with the text that the answer must contain. */
function casesAt(now: number): readonly Case[] {
  const digest = digestOf(SECRET, now, BODY);
  const other = digestOf('whsec_other', now, BODY);
  return [
    ['accepts a genuine delivery', { body: BODY, header: `t=${now},v1=${digest}` }, /^evt_1$/],
    ['accepts a second v1', { body: BODY, header: `t=${now},v1=${other},v1=${digest}` }, /^evt_1$/],
    ['accepts one of 290 seconds ago', { body: BODY, header: signed(SECRET, now - 290, BODY) }, /^evt_1$/],
    [
      'refuses a body that was changed',
      { body: `${BODY} `, header: `t=${now},v1=${digest}` },
      /: wrong.signature$/,
    ],
    [
      'refuses a body that was written again',
      { body: JSON.stringify(JSON.parse(BODY)), header: `t=${now},v1=${digest}` },
      /: wrong.signature$/,
    ],
    ['refuses another secret', { body: BODY, header: `t=${now},v1=${other}` }, /: wrong.signature$/],
    [
      'refuses an old time',
      { body: BODY, header: signed(SECRET, now - 400, BODY) },
      /: timestamp.out.of.tolerance$/,
    ],
    [
      'refuses a time that is to come',
      { body: BODY, header: signed(SECRET, now + 400, BODY) },
      /: timestamp.out.of.tolerance$/,
    ],
    [
      'refuses an old time that was replaced',
      { body: BODY, header: `t=${now},v1=${digestOf(SECRET, now - 400, BODY)}` },
      /: wrong.signature$/,
    ],
    ['refuses no header', { body: BODY, header: '' }, /: (missing|wrong).signature$/],
    ['refuses an empty digest', { body: BODY, header: `t=${now},v1=,v1` }, /: (malformed|wrong).signature$/],
    [
      'refuses a strange digest',
      { body: BODY, header: `t=${now},v1=שלום` },
      /: (malformed|wrong).signature$/,
    ],
    [
      'refuses a time that is none, though signed',
      { body: BODY, header: `t=now,v1=${digestOf(SECRET, 'now', BODY)}` },
      /: (malformed.signature|timestamp.out.of.tolerance)$/,
    ],
  ];
}

let installation: Installation;

beforeAll(async () => {
  installation = await installPackages('webhook-verifier');
}, 60_000);

afterAll(() => installation?.remove());

/** One process checks all cases, because its start takes most of the time. */
async function judge({ command, file, program }: Sample): Promise<readonly string[]> {
  const path = await installation.write(file, program());
  const env = { ...process.env, WEBHOOK_SECRET: SECRET, PYTHONUTF8: '1' };
  const running = promisify(execFile)(command, [path], { env });
  const cases = casesAt(nowSeconds());
  running.child.stdin?.end(JSON.stringify(cases.map(([, delivery]) => delivery)));
  return JSON.parse((await running).stdout) as string[];
}

describe.each(samples.filter(isInstalled))('the check in $language', (sample) => {
  let answers: readonly string[];

  beforeAll(async () => {
    answers = await judge(sample);
  });

  it.each(casesAt(0).map(([what, , answer], index) => ({ what, answer, index })))(
    '$what',
    ({ answer, index }) => {
      expect(answers[index]).toMatch(answer);
    },
  );
});

describe('the checks in docs/webhooks.md', () => {
  const missing = samples.filter((sample) => !isInstalled(sample)).map(({ language }) => language);

  it(`are all there${missing.length > 0 ? `, but were not run where the language is not installed: ${missing.join(', ')}` : ''}`, () => {
    for (const { program } of samples) expect(program()).toMatch(/verify_?webhook/i);
  });
});
