import type { Reliability } from '../../libs/receipt-reader/src/fields/reliability';

/** An answer to a document that was not trained on. */
export interface Outcome {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** A group of answers with similar confidence. */
interface Block {
  readonly confidence: number;
  readonly right: number;
  readonly count: number;
}

/** Smaller groups say little about their share of right answers. */
const BLOCK_SIZE = 15;

/** One right and one wrong answer are added, so that a small group without errors does not count as certain. */
const shareOf = ({ right, count }: Block): number => (right + 1) / (count + 2);

const joined = (one: Block, other: Block): Block => ({
  confidence: one.confidence + other.confidence,
  right: one.right + other.right,
  count: one.count + other.count,
});

const blockOf = (outcomes: readonly Outcome[]): Block => ({
  confidence: outcomes.reduce((sum, { confidence }) => sum + confidence, 0),
  right: outcomes.filter(({ isRight }) => isRight).length,
  count: outcomes.length,
});

/**
 * Measures how often answers are right, by isotonic regression: neighbouring groups are joined until the share
 * of right answers rises with the confidence.
 */
export function reliabilityOf(outcomes: readonly Outcome[]): Reliability {
  const sorted = outcomes.toSorted((one, other) => one.confidence - other.confidence);
  const blocks: Block[] = [];
  for (let from = 0; from < sorted.length;) {
    const to = endOfBlock(sorted, from);
    let block = blockOf(sorted.slice(from, to));
    while (blocks.length > 0 && shareOf(blocks.at(-1)!) >= shareOf(block))
      block = joined(blocks.pop()!, block);
    blocks.push(block);
    from = to;
  }
  return blocks.map((block) => ({
    probability: rounded(block.confidence / block.count),
    right: rounded(shareOf(block)),
  }));
}

/** Answers with the same confidence are in the same group. */
function endOfBlock(sorted: readonly Outcome[], from: number): number {
  const last = sorted[Math.min(from + BLOCK_SIZE, sorted.length) - 1];
  return sorted.findLastIndex(({ confidence }) => rounded(confidence) === rounded(last?.confidence ?? 0)) + 1;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
