import type { Line } from './sheet';

/** A part of the text of a row. */
export interface Stretch {
  readonly line: Line;
  readonly start: number;
  readonly end: number;
}

/** Feature values of a candidate by name. A missing feature is 0. */
export type Features = Record<string, number>;

export interface Candidate<Value> {
  readonly value: Value;
  /** Candidates with the same key are the same answer, found in several places. */
  readonly key: string;
  /** Left out if the value is not printed, as the sum of several taxes. */
  readonly at?: Stretch;
  readonly features: Features;
}

/** The weight of each feature. */
export type Weights = Readonly<Record<string, number>>;

export interface Ranked<Value> {
  readonly candidate: Candidate<Value>;
  /** 0 to 1: the probability of this answer among all answers, including "no answer". */
  readonly probability: number;
}

function scoreOf(features: Features, weights: Weights): number {
  let score = weights['bias'] ?? 0;
  for (const name in features) score += (weights[name] ?? 0) * (features[name] ?? 0);
  return Math.min(Math.max(score, -40), 40);
}

/** Ranks the answers by probability. The answer "none" has the score 0. */
export function rank<Value>(candidates: readonly Candidate<Value>[], weights: Weights): Ranked<Value>[] {
  const answers = new Map<string, { best: Candidate<Value>; bestScore: number; mass: number }>();
  let all = 1;
  for (const candidate of candidates) {
    const score = scoreOf(candidate.features, weights);
    const mass = Math.exp(score);
    all += mass;
    const answer = answers.get(candidate.key);
    if (answer === undefined) answers.set(candidate.key, { best: candidate, bestScore: score, mass });
    else {
      answer.mass += mass;
      if (score > answer.bestScore) Object.assign(answer, { best: candidate, bestScore: score });
    }
  }
  return [...answers.values()]
    .map(({ best, mass }) => ({ candidate: best, probability: mass / all }))
    .sort((one, other) => other.probability - one.probability);
}

/** Assigns a number to one of the classes between the bounds: "name<3", "name<8", "name>=8". */
export function bucket(name: string, value: number, bounds: readonly number[]): Features {
  const bound = bounds.find((limit) => value < limit);
  return { [bound === undefined ? `${name}>=${bounds.at(-1)}` : `${name}<${bound}`]: 1 };
}

/** Returns 1 for each name whose condition is true. */
export function flags(conditions: Readonly<Record<string, boolean>>): Features {
  const features: Features = {};
  for (const [name, holds] of Object.entries(conditions)) if (holds) features[name] = 1;
  return features;
}
