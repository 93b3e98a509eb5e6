import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './projects';

type Change = readonly ['append' | 'rotate', string] | readonly ['truncate', number] | readonly ['open'];

interface Case {
  /** The entries before the section begins. null: there is no log yet. */
  readonly before: string | null;
  readonly changes: readonly Change[];
  readonly isDiskFull?: boolean;
  readonly found: {
    readonly text?: string;
    readonly reason?: string;
    readonly lacksSpace?: boolean;
    readonly startLacksSpace?: boolean;
  };
}

/** Changes the log of each case while a `LogSection` observes it, and prints what that finds. */
const SCRIPT = `
  import fs from 'node:fs';
  import { LogSection, openLog } from './tools/lib/postgres-log.mjs';
  const [folder, cases] = JSON.parse(fs.readFileSync(process.argv[1], 'utf8'));
  const { statfsSync } = fs;
  const found = cases.map(({ before, changes, isDiskFull }, index) => {
    const file = folder + '/' + index;
    const change = {
      append: (text) => fs.appendFileSync(file, text),
      rotate: (text) => (fs.renameSync(file, file + '.1'), fs.writeFileSync(file, text)),
      truncate: (length) => fs.truncateSync(file, length),
      open: () => openLog(file),
    };
    fs.statfsSync = (...args) => ({ ...statfsSync(...args), bsize: 4096, bavail: isDiskFull ? 1 : 1e6, files: 0 });
    if (before !== null) fs.writeFileSync(file, before);
    const section = new LogSection(file);
    for (const [how, what] of changes) change[how](what);
    const { text, reason } = section;
    return { text, reason, lacksSpace: section.lacksSpace(), startLacksSpace: section.startLacksSpace() };
  });
  console.log(JSON.stringify(found));
`;

const EARLIER = 'LOG:  an entry of an earlier run\n';
const STARTING = 'LOG:  starting PostgreSQL\n';
const ENDED = 'LOG:  database system is shut down\n';
const CUT = 'LOG:  cut he';
const NO_SPACE = 'PANIC:  could not write to file "pg_wal/x": No space left on device\n';
const [LACKS, STARTS_WITHOUT, HAS_SPACE] = [
  { lacksSpace: true, startLacksSpace: true },
  { lacksSpace: false, startLacksSpace: true },
  { lacksSpace: false, startLacksSpace: false },
];

const CASES: Readonly<Record<string, Case>> = {
  'finds the entries of a log that was empty': {
    before: '',
    changes: [['append', STARTING]],
    found: { text: STARTING },
  },
  'finds the entries of a log that did not exist': {
    before: null,
    changes: [['append', STARTING]],
    found: { text: STARTING },
  },
  'finds the later entries of a log that grows': {
    before: EARLIER,
    changes: [
      ['append', STARTING],
      ['append', ENDED],
    ],
    found: { text: STARTING + ENDED },
  },
  'finds no entry if none was written': { before: EARLIER, changes: [], found: { text: '' } },
  'finds the entries of a log that was replaced': {
    before: EARLIER,
    changes: [['rotate', STARTING]],
    found: { text: STARTING },
  },
  'finds no entry in a log that was replaced and is empty': {
    before: EARLIER,
    changes: [['rotate', '']],
    found: { text: '' },
  },
  'finds the entries of a log that was truncated': {
    before: EARLIER,
    changes: [
      ['truncate', 0],
      ['append', STARTING],
    ],
    found: { text: STARTING },
  },
  'finds the entries after a long log was put aside': {
    before: 'x'.repeat(10_000_001),
    changes: [['open'], ['append', STARTING]],
    found: { text: STARTING },
  },
  'finds the entries after a short log was opened again': {
    before: EARLIER,
    changes: [['open'], ['append', STARTING]],
    found: { text: STARTING },
  },
  'gives the fatal entry as the reason': {
    before: EARLIER,
    changes: [['append', `${STARTING}FATAL:  lock file is empty\n${ENDED}`]],
    found: { reason: 'lock file is empty' },
  },
  'gives no rejection of an early connection as the reason': {
    before: EARLIER,
    changes: [['append', `FATAL:  the database system is starting up\nPANIC:  no valid checkpoint record\n`]],
    found: { reason: 'no valid checkpoint record' },
  },
  'gives the last entry as the reason if none is fatal': {
    before: EARLIER,
    changes: [['append', STARTING + ENDED]],
    found: { reason: ENDED.trim() },
  },
  'gives no earlier entry as the reason': {
    before: 'FATAL:  an earlier reason\n',
    changes: [],
    found: { reason: '' },
  },
  'finds a lack of space if PostgreSQL reports it': {
    before: EARLIER,
    changes: [['append', NO_SPACE]],
    found: LACKS,
  },
  'finds no lack of space that was reported before': {
    before: NO_SPACE,
    changes: [['append', STARTING]],
    found: HAS_SPACE,
  },
  'finds a lack of space on a full disk if the last entry is cut': {
    before: EARLIER,
    changes: [['append', STARTING + CUT]],
    isDiskFull: true,
    found: LACKS,
  },
  'finds a lack of space on a full disk if the entry before was cut': {
    before: EARLIER + CUT,
    changes: [],
    isDiskFull: true,
    found: LACKS,
  },
  'finds no lack of space on a full disk if the last entry is whole': {
    before: EARLIER,
    changes: [['append', STARTING]],
    isDiskFull: true,
    found: HAS_SPACE,
  },
  'finds a lack of space for a start alone on a full disk without an entry': {
    before: EARLIER,
    changes: [],
    isDiskFull: true,
    found: STARTS_WITHOUT,
  },
  'finds a lack of space for a start alone on a full disk with an empty log': {
    before: '',
    changes: [],
    isDiskFull: true,
    found: STARTS_WITHOUT,
  },
  'finds a lack of space for a start alone on a full disk with a log that was replaced and is empty': {
    before: EARLIER,
    changes: [['rotate', '']],
    isDiskFull: true,
    found: STARTS_WITHOUT,
  },
  'finds no lack of space on another disk although the last entry is cut': {
    before: EARLIER,
    changes: [['append', CUT]],
    found: HAS_SPACE,
  },
  'finds no lack of space on another disk although nothing was logged': {
    before: '',
    changes: [],
    found: HAS_SPACE,
  },
};

describe('a section of the log of PostgreSQL', () => {
  let found: readonly unknown[];

  beforeAll(() => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-log-'));
    const input = path.join(folder, 'cases.json');
    fs.writeFileSync(input, JSON.stringify([folder, Object.values(CASES)]));
    // In a process of its own, because Jest does not load the modules of the tools.
    const args = ['--input-type=module', '-e', SCRIPT, input];
    found = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT }).toString()) as unknown[];
    fs.rmSync(folder, { recursive: true });
  });

  it.each(
    Object.entries(CASES).map(([name, { found: expected }], index) => [name, index, expected] as const),
  )('%s', (_, index, expected) => {
    expect(found[index]).toMatchObject(expected);
  });
});
