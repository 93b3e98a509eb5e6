/**
 * The documents that one worker reads at once. Each is in its memory, of up to 25 MiB. Images wait for one another. A
 * URL may be slow, and keeps its slot until its text is read.
 */
const PLACES = { texts: 16, images: 8, urls: 16 };

type Place = keyof typeof PLACES;
type Room = Readonly<Record<Place, boolean>>;

export interface InHand {
  readonly isUrl: boolean;
  /** A document may turn out to be an image. */
  isImage: boolean;
}

/** For what else a worker has room. */
export function roomBeside(inHand: readonly InHand[]): Room {
  const isLeft = (place: Place) => inHand.filter((held) => placeOf(held) === place).length < PLACES[place];
  return { texts: isLeft('texts'), images: isLeft('images'), urls: isLeft('urls') };
}

function placeOf({ isImage, isUrl }: InHand): Place {
  if (isImage) return 'images';
  return isUrl ? 'urls' : 'texts';
}
