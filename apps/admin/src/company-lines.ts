import type { CompanyStatus } from '@counterfoil/identity';

/** A company as `company:list --json` prints it. */
export interface ListedCompany {
  readonly id: number;
  readonly name: string;
  readonly taxId: string | null;
  readonly state: CompanyStatus;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly erasedAt: Date | null;
  readonly recordsKeptUntil: string | null;
  readonly keys: number;
  /** Whether there may be more keys than were counted. */
  readonly moreKeys: boolean;
  readonly documents: number;
  readonly moreDocuments: boolean;
  readonly lastUsedAt: Date | null;
}

interface Column {
  readonly title: string;
  readonly width: number;
  readonly numeric?: true;
  readonly textOf: (company: ListedCompany) => string;
}

const COLUMNS: readonly Column[] = [
  { title: 'ID', width: 6, numeric: true, textOf: ({ id }) => String(id) },
  { title: 'NAME', width: 32, textOf: ({ name }) => shortened(name, 32) },
  { title: 'TAX ID', width: 12, textOf: ({ taxId }) => shortened(taxId ?? '', 12) },
  { title: 'STATE', width: 9, textOf: ({ state }) => state },
  { title: 'CREATED', width: 10, textOf: ({ createdAt }) => dayOf(createdAt) },
  { title: 'KEYS', width: 5, numeric: true, textOf: ({ keys, moreKeys }) => counted(keys, moreKeys) },
  {
    title: 'DOCUMENTS',
    width: 9,
    numeric: true,
    textOf: ({ documents, moreDocuments }) => counted(documents, moreDocuments),
  },
  { title: 'LAST USED', width: 10, textOf: ({ lastUsedAt }) => (lastUsedAt ? dayOf(lastUsedAt) : 'never') },
];

export function headerOf(): string {
  return joined(COLUMNS.map(({ title }) => title));
}

/** One line of the table. Names come from callers, so nothing in them reaches the terminal as a command. */
export function lineOf(company: ListedCompany): string {
  return joined(COLUMNS.map(({ textOf }) => textOf(company)));
}

function joined(texts: readonly string[]): string {
  return COLUMNS.map(({ width, numeric }, at) => {
    const text = texts[at] ?? '';
    return numeric ? text.padStart(width) : text.padEnd(width);
  })
    .join('  ')
    .trimEnd();
}

function shortened(text: string, width: number): string {
  const characters = [...text.replace(/\p{C}/gu, '\u{fffd}')];
  return characters.length <= width ? characters.join('') : `${characters.slice(0, width - 1).join('')}…`;
}

const counted = (count: number, more: boolean): string => (more ? `${count}+` : String(count));

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
