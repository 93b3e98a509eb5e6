/**
 * The documents that one worker reads at once. Each is in memory and may have 25 MiB. Images also wait for
 * each other in the reader. A URL may be slow, and keeps its slot until its text is read.
 */
const SLOTS = { texts: 16, images: 8, urls: 16 };

/** Fetching a URL, asking the second reader, and the statements of the database. */
const BESIDE_READING_MS = 60_000;
/** On a busy machine a document may take several times its limit, and two workers may share a reader. */
const SLOWNESS = 4;

/** Returns the longest time of a document in the reader: all images of a worker may be before it. */
export function longestInReaderMs(documentTimeoutMs: number): number {
  return SLOWNESS * SLOTS.images * documentTimeoutMs;
}

/** Returns the longest time from the claim of a document to its outcome. */
export function longestReadingMs(documentTimeoutMs: number): number {
  return BESIDE_READING_MS + longestInReaderMs(documentTimeoutMs);
}

type SlotKind = keyof typeof SLOTS;
type Room = Readonly<Record<SlotKind, boolean>>;

export interface InHand {
  readonly isUrl: boolean;
  /** Set when a document turns out to be an image. */
  isImage: boolean;
}

/** Returns the kinds for which a worker has a free slot. */
export function roomBeside(inHand: readonly InHand[]): Room {
  const isLeft = (kind: SlotKind) => inHand.filter((held) => slotOf(held) === kind).length < SLOTS[kind];
  return { texts: isLeft('texts'), images: isLeft('images'), urls: isLeft('urls') };
}

function slotOf({ isImage, isUrl }: InHand): SlotKind {
  if (isImage) return 'images';
  return isUrl ? 'urls' : 'texts';
}
