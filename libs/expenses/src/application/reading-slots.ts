/**
 * The documents that one worker reads at once. Each is in its memory, of up to 25 MiB. Images wait for one another. A
 * URL may be slow, and keeps its slot until its text is read.
 */
const SLOTS = { texts: 16, images: 8, urls: 16 };

type SlotKind = keyof typeof SLOTS;
type Room = Readonly<Record<SlotKind, boolean>>;

export interface InHand {
  readonly isUrl: boolean;
  /** A document may turn out to be an image. */
  isImage: boolean;
}

/** The kinds of document that a worker has a slot left for. */
export function roomBeside(inHand: readonly InHand[]): Room {
  const isLeft = (kind: SlotKind) => inHand.filter((held) => slotOf(held) === kind).length < SLOTS[kind];
  return { texts: isLeft('texts'), images: isLeft('images'), urls: isLeft('urls') };
}

function slotOf({ isImage, isUrl }: InHand): SlotKind {
  if (isImage) return 'images';
  return isUrl ? 'urls' : 'texts';
}
