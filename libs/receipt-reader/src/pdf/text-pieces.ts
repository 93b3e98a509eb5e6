/** A matrix [a, b, c, d, e, f] as PDF writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** A text run as pdfjs returns it, in PDF coordinates. */
export interface TextItem {
  readonly str: string;
  /** 'rtl' if pdfjs has put the run into logical order. Any other run is in drawing order. */
  readonly dir: string;
  readonly transform: Matrix;
  readonly width: number;
  readonly height: number;
}

/**
 * The size of a page, and the transformation from PDF coordinates to the reader's: points, y growing
 * downwards.
 */
export interface PageFrame {
  readonly width: number;
  readonly height: number;
  readonly transform: Matrix;
}

/** A text run in the reader's coordinates. */
export interface Piece {
  readonly text: string;
  readonly isRightToLeft: boolean;
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
  readonly height: number;
  /** True if the text is rotated. Only its bounding box is known. */
  readonly isTurned: boolean;
}

export interface PiecesOfPage {
  readonly width: number;
  readonly height: number;
  /** The counterclockwise quarter turns, 0 to 3, by which the page was turned upright. */
  readonly turn: number;
  readonly pieces: readonly Piece[];
}

interface PlacedItem {
  readonly item: TextItem;
  readonly matrix: Matrix;
}

/** Maximum slope of a baseline that counts as level. */
const SLOPE_MAX = 0.2;
/** Three or more spaces in a row are a gap between columns. */
const COLUMN_GAP = / {3,}/g;

/**
 * Returns the text runs of a page, rotated upright if most of the text was drawn sideways. Runs outside the
 * page are left out.
 */
export function piecesOf(items: readonly TextItem[], frame: PageFrame): PiecesOfPage {
  const placed = items
    .filter(({ str, transform }) => str.trim() !== '' && transform.every(Number.isFinite))
    .map((item) => ({ item, matrix: times(frame.transform, item.transform) }));
  const turn = commonTurn(placed);
  const upright = turnFrame(frame, turn);
  const pieces = placed
    .map(({ item, matrix }) => ({ item, matrix: times(upright.transform, matrix) }))
    .flatMap(pieceOf)
    .flatMap(splitColumns)
    .filter(({ x, width, baseline }) => x < upright.width && x + width > 0 && isWithin(baseline, upright));
  return { width: upright.width, height: upright.height, turn, pieces };
}

function isWithin(baseline: number, { height }: PageFrame): boolean {
  return baseline > 0 && baseline < height * 1.02;
}

function times(left: Matrix, right: Matrix): Matrix {
  const [a, b, c, d, e, f] = left;
  const [g, h, i, j, k, l] = right;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Returns the clockwise quarter turns, 0 to 3, by which most letters are rotated. */
function commonTurn(placed: readonly PlacedItem[]): number {
  const letters = [0, 0, 0, 0];
  for (const { item, matrix } of placed) {
    const turn = turnOf(matrix);
    letters[turn] = (letters[turn] ?? 0) + item.str.length;
  }
  return letters.indexOf(Math.max(...letters));
}

function turnOf([a, b]: Matrix): number {
  if (Math.abs(a) >= Math.abs(b)) return a >= 0 ? 0 : 2;
  return b > 0 ? 1 : 3;
}

/** Rotates the page back by this many quarter turns, including its matrix. */
function turnFrame({ width, height }: PageFrame, turn: number): PageFrame {
  const turned = { width: height, height: width };
  if (turn === 1) return { ...turned, transform: [0, -1, 1, 0, 0, width] };
  if (turn === 2) return { width, height, transform: [-1, 0, 0, -1, width, height] };
  if (turn === 3) return { ...turned, transform: [0, 1, -1, 0, height, 0] };
  return { width, height, transform: [1, 0, 0, 1, 0, 0] };
}

function pieceOf({ item, matrix }: PlacedItem): Piece[] {
  const [a, b, c, d, x, baseline] = matrix;
  const height = item.height > 0 ? item.height : Math.hypot(c, d);
  if (!(height > 0) || item.width < 0) return [];
  const text = item.str;
  const isRightToLeft = item.dir === 'rtl';
  if (a > 0 && Math.abs(b) <= SLOPE_MAX * a)
    return [{ text, isRightToLeft, x, baseline, width: item.width, height, isTurned: false }];
  const length = Math.hypot(a, b);
  const [along, down] = [(item.width * a) / length, (item.width * b) / length];
  return [
    {
      text,
      isRightToLeft,
      x: Math.min(x, x + along),
      baseline: Math.max(baseline, baseline + down),
      width: Math.max(Math.abs(along), height),
      height: Math.max(Math.abs(down), height),
      isTurned: true,
    },
  ];
}

/**
 * Splits a run at column gaps made of spaces. The position of each column is proportional to its share of the
 * characters.
 */
function splitColumns(piece: Piece): Piece[] {
  const text = piece.text.trimEnd();
  if (piece.isRightToLeft || piece.isTurned || text.search(COLUMN_GAP) === -1) return [piece];
  const advance = piece.width / piece.text.length;
  return [...text.matchAll(/\S+(?: {1,2}\S+)*/g)].map((part) => ({
    ...piece,
    text: part[0],
    x: piece.x + part.index * advance,
    width: part[0].length * advance,
  }));
}
