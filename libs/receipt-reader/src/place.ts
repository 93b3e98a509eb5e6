import type { Box, Page, Point } from './page';

/**
 * The place of a value on a page as viewers show it. The box is in shares of the page's width and height, from its upper
 * left corner.
 */
export interface Place extends Box {
  /** From 1. */
  readonly page: number;
}

const DIGITS = 10_000;

/** @param index position of the page among those that were read */
export function placeOn(page: Page, index: number, box: Box): Place {
  const corners = [box.x, box.x + box.width].flatMap((x) =>
    [box.y, box.y + box.height].map((y) => shownOn(page, { x, y })),
  );
  const xs = corners.map(({ x }) => share(x));
  const ys = corners.map(({ y }) => share(y));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return {
    page: page.number ?? index + 1,
    ...{ x, y, width: rounded(Math.max(...xs) - x), height: rounded(Math.max(...ys) - y) },
  };
}

function shownOn({ width, height, shown }: Page, point: Point): Point {
  return shown ? shown(point) : { x: point.x / width, y: point.y / height };
}

/** Returns where a point was before the page was turned clockwise by quarter turns; both in shares of the page. */
export function turnedBack({ x, y }: Point, quarters: number): Point {
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return { x: y, y: 1 - x };
    case 2:
      return { x: 1 - x, y: 1 - y };
    case 3:
      return { x: 1 - y, y: x };
    default:
      return { x, y };
  }
}

const share = (value: number): number => rounded(Math.min(Math.max(value, 0), 1));
const rounded = (value: number): number => Math.round(value * DIGITS) / DIGITS;
