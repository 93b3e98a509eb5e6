import { FIELD_NAMES, type ReadingSource } from '../reading';
import type { Unreadable } from '../unreadable-document';
import type { NumberedAnswer, ReadAnswer, Ready } from './protocol';

const TEXT_LENGTH_MAX = 100_000;
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
  const { number, cpuMs, isPart } = sent;
  const answer = checkedAnswer(sent['answer']);
  if (!Number.isSafeInteger(number) || !answer) return null;
  return {
    ...{ number: number as number, answer },
    ...(isNumber(cpuMs) && { cpuMs }),
    ...(isPart === true && { isPart }),
  };
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

function checkedReading({ reading, text }: Sent): ReadAnswer | null {
  if (!isObject(reading) || !isText(text)) return null;
  const { fields, confidence, places, source, pages, pageCount } = reading;
  if (!isObject(fields) || !isObject(confidence)) return null;
  if (!isOneOf(SOURCES, source) || !Number.isSafeInteger(pages)) return null;
  const taken = {
    fields: knownIn(fields, (value) => isNumber(value) || isText(value)),
    confidence: knownIn(confidence, isNumber),
    ...(isObject(places) && { places: knownIn(places, isPlace) }),
  };
  const partly = Number.isSafeInteger(pageCount) && { pageCount: pageCount as number };
  return { kind: 'read', reading: { ...taken, source, pages: pages as number, ...partly }, text };
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
  return (
    isNumber(page) && Number.isSafeInteger(page) && page >= 1 && SIDES.every((side) => isShare(value[side]))
  );
}

const isObject = (value: unknown): value is Sent => typeof value === 'object' && value !== null;
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= TEXT_LENGTH_MAX;
const isOneOf = <T>(choices: readonly T[], value: unknown): value is T => choices.includes(value as T);
