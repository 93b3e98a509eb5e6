import type { Features, Weights } from '../../libs/receipt-reader/src/fields/model';

/** A training example: the candidates of a field in one document, and which of them are right. */
export interface Question {
  readonly candidates: readonly { readonly features: Features; readonly right: boolean }[];
  /** True if leaving the field out is a right answer. */
  readonly noneRight: boolean;
  readonly weight: number;
}

const ROUNDS = 250;
const STEP = 0.12;
const MOMENTUM = 0.9;
const SPREAD = 0.99;

/** The training examples as arrays of numbers: the indexes and values of the features of each candidate. */
class Compiled {
  readonly names: string[] = [];
  private readonly places = new Map<string, number>();
  readonly questions: {
    readonly candidates: readonly { places: Int32Array; values: Float64Array; right: boolean }[];
    readonly noneRight: boolean;
    readonly weight: number;
  }[];

  constructor(questions: readonly Question[], known: readonly string[]) {
    for (const name of known) this.placeOf(name);
    this.questions = questions.map((question) => ({
      noneRight: question.noneRight,
      weight: question.weight,
      candidates: question.candidates.map(({ features, right }) => {
        const entries = Object.entries({ ...features, bias: 1 });
        return {
          places: Int32Array.from(entries, ([name]) => this.placeOf(name)),
          values: Float64Array.from(entries, ([, value]) => value),
          right,
        };
      }),
    }));
  }

  private placeOf(name: string): number {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    this.names.push(name);
    this.places.set(name, this.names.length - 1);
    return this.names.length - 1;
  }
}

/** Adds the gradient of the loss of one example: how much too likely or too unlikely each answer is. */
function addSlope(question: Compiled['questions'][number], weights: Float64Array, slope: Float64Array): void {
  const scores = question.candidates.map(({ places, values }) => {
    let score = 0;
    for (let index = 0; index < places.length; index++) {
      score += (weights[places[index] ?? 0] ?? 0) * (values[index] ?? 0);
    }
    return Math.min(Math.max(score, -40), 40);
  });
  const masses = scores.map((score) => Math.exp(score));
  const all = masses.reduce((sum, mass) => sum + mass, 1);
  const right = question.candidates.reduce(
    (sum, candidate, index) => sum + (candidate.right ? (masses[index] ?? 0) : 0),
    question.noneRight ? 1 : 0,
  );
  if (right <= 0) return;
  question.candidates.forEach(({ places, values, right: isRight }, index) => {
    const mass = masses[index] ?? 0;
    const push = question.weight * (mass / all - (isRight ? mass / right : 0));
    if (Math.abs(push) < 1e-9) return;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] ?? 0;
      slope[place] = (slope[place] ?? 0) + push * (values[at] ?? 0);
    }
  });
}

/**
 * Adam: gradient descent with momentum, in which the step of each weight depends on the variance of its
 * gradient.
 */
class Descent {
  private readonly speed: Float64Array;
  private readonly spread: Float64Array;

  constructor(size: number) {
    this.speed = new Float64Array(size);
    this.spread = new Float64Array(size);
  }

  step(weights: Float64Array, slope: Float64Array, round: number): void {
    const length = STEP * (round > ROUNDS * 0.7 ? 0.25 : 1);
    slope.forEach((pull, index) => {
      const speed = MOMENTUM * (this.speed[index] ?? 0) + (1 - MOMENTUM) * pull;
      const spread = SPREAD * (this.spread[index] ?? 0) + (1 - SPREAD) * pull * pull;
      this.speed[index] = speed;
      this.spread[index] = spread;
      const even = Math.sqrt(spread / (1 - SPREAD ** round)) + 1e-8;
      weights[index] = (weights[index] ?? 0) - (length * speed) / (1 - MOMENTUM ** round) / even;
    });
  }
}

/**
 * Fits weights that make the right answers likely: softmax over the candidates of each example and "none",
 * with L2 regularisation of strength `hold` towards the priors. It is deterministic.
 */
export function fit(questions: readonly Question[], priors: Weights, hold: number): Weights {
  const compiled = new Compiled(questions, Object.keys(priors));
  const means = Float64Array.from(compiled.names, (name) => priors[name] ?? 0);
  const weights = Float64Array.from(means);
  const descent = new Descent(weights.length);
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = weights.map((weight, index) => hold * (weight - (means[index] ?? 0)));
    for (const question of compiled.questions) addSlope(question, weights, slope);
    descent.step(weights, slope, round);
  }
  return Object.fromEntries(
    compiled.names
      .map((name, index) => [name, Math.round((weights[index] ?? 0) * 1000) / 1000] as const)
      .filter(([, weight]) => weight !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
