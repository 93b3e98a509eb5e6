import { FIELD_NAMES, PAGES_MAX, type Reading, type ReadingSource } from '../reading';
import type { Unreadable } from '../unreadable-document';
import type { NumberedAnswer, PartAnswer, ReadAnswer, Ready } from './protocol';

const TEXT_LENGTH_MAX = 100_000;
/** The largest integer in a PDF, which states the number of its pages. */
const PAGE_COUNT_MAX = 2 ** 31 - 1;
const SOURCES: readonly ReadingSource[] = ['xml', 'pdf-text', 'text', 'ocr'];
const REASONS: readonly Unreadable[] = ['unsupported', 'damaged', 'encrypted', 'too-large'];

const SIDES = ['x', 'y', 'width', 'height'] as const;

type Sent = Readonly<Record<string, unknown>>;

/**
 * Validates a message of a reader process and copies only its known fields. Because the process decodes
 * untrusted files, it may be compromised and send anything.
 *
 * @returns null for an invalid message
 */
export function checkedMessage(sent: unknown): NumberedAnswer | Ready | null {
  if (!isObject(sent)) return null;
  if (sent['ready'] === true) return { ready: true };
  const { number, cpuMs, memoryBytes, isPart } = sent;
  if (!isIntegerIn(number, 0, Number.MAX_SAFE_INTEGER)) return null;
  if (isPart === true) {
    const answer = checkedPart(sent['answer']);
    return answer && { number, answer, isPart };
  }
  const answer = checkedAnswer(sent['answer']);
  return (
    answer && {
      ...{ number, answer },
      ...(isNumber(cpuMs) && { cpuMs }),
      ...(isNumber(memoryBytes) && { memoryBytes }),
    }
  );
}

/** Like `checkedAnswer`, for a document as far as it was read. */
export function checkedPart(sent: unknown): PartAnswer | null {
  const answer = checkedAnswer(sent);
  return answer?.kind === 'read' ? answer : null;
}

/** Validates an answer and copies only its known fields. Returns null for an invalid answer. */
export function checkedAnswer(sent: unknown): ReadAnswer | null {
  if (!isObject(sent)) return null;
  const { kind, message, reason } = sent;
  if (kind === 'needs-recognition') return { kind };
  if (kind === 'read') return checkedReading(sent);
  if (!isText(message)) return null;
  if (kind === 'failed') return { kind, message };
  return kind === 'unreadable' && isOneOf(REASONS, reason) ? { kind, reason, message } : null;
}

function checkedReading({ reading, text, fault }: Sent): ReadAnswer | null {
  if (!isObject(reading) || !isText(text)) return null;
  const { fields, confidence, places, source } = reading;
  if (!isObject(fields) || !isObject(confidence) || !isOneOf(SOURCES, source)) return null;
  const pages = checkedPages(reading);
  if (!pages) return null;
  const taken = {
    fields: knownIn(fields, (value) => isNumber(value) || isText(value)),
    confidence: knownIn(confidence, isNumber),
    ...(isObject(places) && { places: knownIn(places, isPlace) }),
  };
  return {
    ...{ kind: 'read', reading: { ...taken, source, ...pages }, text },
    ...(isText(fault) && { fault }),
  };
}

function checkedPages(sent: Sent): Pick<Reading, 'pages' | 'pageCount' | 'unreadablePages'> | null {
  const { pages, pageCount, unreadablePages } = sent;
  if (!isIntegerIn(pages, 0, PAGES_MAX)) return null;
  if (pageCount === undefined) return { pages };
  if (!isIntegerIn(pageCount, pages + 1, PAGE_COUNT_MAX)) return null;
  if (unreadablePages === undefined) return { pages, pageCount };
  return isIntegerIn(unreadablePages, 1, pageCount - pages) ? { pages, pageCount, unreadablePages } : null;
}

function knownIn(sent: Sent, isTaken: (value: unknown) => boolean): object {
  return Object.fromEntries(
    FIELD_NAMES.filter((name) => isTaken(sent[name])).map((name) => [name, sent[name]]),
  );
}

/** Copied by `knownIn` as it is, so it must have no other properties. */
function isPlace(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length !== 1 + SIDES.length) return false;
  const { page } = value;
  const isShare = (side: unknown) => isNumber(side) && side >= 0 && side <= 1;
  return isIntegerIn(page, 1, PAGE_COUNT_MAX) && SIDES.every((side) => isShare(value[side]));
}

const isObject = (value: unknown): value is Sent => typeof value === 'object' && value !== null;
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isIntegerIn = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= TEXT_LENGTH_MAX;
const isOneOf = <T>(choices: readonly T[], value: unknown): value is T => choices.includes(value as T);
