/** A matrix [a, b, c, d, e, f] as PDF writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** A run of text as pdfjs gives it, in the coordinates of the PDF. */
export interface TextItem {
  readonly str: string;
  /** 'rtl' for a run that pdfjs has put into logical order; any other is as drawn. */
  readonly dir: string;
  readonly transform: Matrix;
  readonly width: number;
  readonly height: number;
}

/** How large a page is and how its coordinates become those of the reader: points, y growing downwards. */
export interface PageFrame {
  readonly width: number;
  readonly height: number;
  readonly transform: Matrix;
}

/** A run of text where the reader sees it. */
export interface Piece {
  readonly text: string;
  readonly isRightToLeft: boolean;
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
  readonly height: number;
  /** Text that does not stand upright: its box is all that is known. */
  readonly isTurned: boolean;
}

export interface PiecesOfPage {
  readonly width: number;
  readonly height: number;
  readonly pieces: readonly Piece[];
}

interface PlacedItem {
  readonly item: TextItem;
  readonly matrix: Matrix;
}

/** How far from level a line may be, as the slope of its baseline. */
const SLOPE_MAX = 0.2;
/** Three and more spaces in a row are a gap between columns. */
const COLUMN_GAP = / {3,}/g;

/** The runs of a page, upright even where most of its text was drawn sideways; what lies outside the page is left out. */
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
  return { width: upright.width, height: upright.height, pieces };
}

function isWithin(baseline: number, { height }: PageFrame): boolean {
  return baseline > 0 && baseline < height * 1.02;
}

function times(left: Matrix, right: Matrix): Matrix {
  const [a, b, c, d, e, f] = left;
  const [g, h, i, j, k, l] = right;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Quarter turns clockwise by which most letters are drawn: 0 to 3. */
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

/** The page rotated back by this many quarters, with the matrix of the rotation. */
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

/** Text set in columns by spaces falls into its columns; where each begins follows from the share of the characters. */
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
