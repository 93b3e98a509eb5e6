/**
 * The documents that one worker reads at once. Each is in memory and may have 25 MiB. Images also wait for
 * each other in the reader. A URL may be slow, and keeps its slot until its text is read.
 */
const SLOTS = { texts: 16, images: 8, urls: 16 };

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
