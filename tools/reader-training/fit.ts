import type { Features, Weights } from '../../libs/receipt-reader/src/fields/model';

/** A training example: the candidates of a field in one document, and which of them are right. */
export interface Question {
  readonly candidates: readonly { readonly features: Features; readonly right: boolean }[];
  /** True if leaving the field out is a right answer. */
  readonly noneRight: boolean;
  readonly weight: number;
  /** The weight of the same example without its right answers, which teaches to leave the field out. */
  readonly maskedWeight?: number;
}

/** Smaller parts of the gradient are left out. */
const NEGLIGIBLE = 1e-7;
const ROUNDS = 250;
const STEP = 0.12;
const MOMENTUM = 0.9;
const SPREAD = 0.99;

/** The training examples as arrays of numbers: the indexes and values of the features of each candidate. */
class Compiled {
  readonly names: string[] = [];
  private readonly indexes = new Map<string, number>();
  private readonly places: Int32Array;
  private readonly values: Float64Array;
  /** Where the features of each candidate begin. */
  private readonly candidateStarts: Int32Array;
  /** Where the candidates of each question begin. */
  private readonly questionStarts: Int32Array;
  private readonly right: Uint8Array;
  private readonly masses: Float64Array;

  constructor(
    private readonly questions: readonly Question[],
    known: readonly string[],
  ) {
    for (const name of known) this.indexOf(name);
    const candidates = questions.flatMap((question) => question.candidates);
    const entries = candidates.map(({ features }) => Object.entries({ ...features, bias: 1 }));
    this.places = Int32Array.from(entries.flatMap((one) => one.map(([name]) => this.indexOf(name))));
    this.values = Float64Array.from(entries.flatMap((one) => one.map(([, value]) => value)));
    this.candidateStarts = startsOf(entries.map(({ length }) => length));
    this.questionStarts = startsOf(questions.map((question) => question.candidates.length));
    this.right = Uint8Array.from(candidates, (candidate) => (candidate.right ? 1 : 0));
    this.masses = new Float64Array(candidates.length);
  }

  private indexOf(name: string): number {
    const known = this.indexes.get(name);
    if (known !== undefined) return known;
    this.names.push(name);
    this.indexes.set(name, this.names.length - 1);
    return this.names.length - 1;
  }

  /** Adds the gradient of the loss of all examples: how much too likely or too unlikely each answer is. */
  addSlope(weights: Float64Array, slope: Float64Array): void {
    this.weigh(weights);
    this.questions.forEach((question, index) => {
      const from = this.questionStarts[index] ?? 0;
      const to = this.questionStarts[index + 1] ?? from;
      this.addQuestion(question, from, to, slope);
    });
  }

  /** Adds the gradient of one example, whose candidates are those in the given range. */
  private addQuestion(question: Question, from: number, to: number, slope: Float64Array): void {
    const rightMass = this.massOf(from, to, 1);
    const wrongMass = this.massOf(from, to, 0);
    const right = rightMass + (question.noneRight ? 1 : 0);
    const weight = right > 0 ? question.weight : 0;
    const share = 1 / (1 + rightMass + wrongMass);
    const ofWrong = weight * share + (question.maskedWeight ?? 0) / (1 + wrongMass);
    const ofRight = weight > 0 ? weight * (share - 1 / right) : 0;
    for (let at = from; at < to; at++) {
      this.push(at, (this.masses[at] ?? 0) * (this.right[at] === 1 ? ofRight : ofWrong), slope);
    }
  }

  private massOf(from: number, to: number, right: 0 | 1): number {
    let mass = 0;
    for (let at = from; at < to; at++) if (this.right[at] === right) mass += this.masses[at] ?? 0;
    return mass;
  }

  /** Sets the mass of each candidate, which is proportional to its probability. */
  private weigh(weights: Float64Array): void {
    const { places, values, candidateStarts, masses } = this;
    for (let candidate = 0; candidate < masses.length; candidate++) {
      const to = candidateStarts[candidate + 1] ?? 0;
      let score = 0;
      for (let at = candidateStarts[candidate] ?? 0; at < to; at++) {
        score += (weights[places[at] ?? 0] ?? 0) * (values[at] ?? 0);
      }
      masses[candidate] = Math.exp(Math.min(Math.max(score, -40), 40));
    }
  }

  private push(candidate: number, by: number, slope: Float64Array): void {
    if (Math.abs(by) < NEGLIGIBLE) return;
    const { places, values, candidateStarts } = this;
    const to = candidateStarts[candidate + 1] ?? 0;
    for (let at = candidateStarts[candidate] ?? 0; at < to; at++) {
      const place = places[at] ?? 0;
      slope[place] = (slope[place] ?? 0) + by * (values[at] ?? 0);
    }
  }
}

/** Returns the sums of the lengths before each item, and of all. */
function startsOf(lengths: readonly number[]): Int32Array {
  const starts = new Int32Array(lengths.length + 1);
  lengths.forEach((length, index) => (starts[index + 1] = (starts[index] ?? 0) + length));
  return starts;
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
    compiled.addSlope(weights, slope);
    descent.step(weights, slope, round);
  }
  return Object.fromEntries(
    compiled.names
      .map((name, index) => [name, Math.round((weights[index] ?? 0) * 1000) / 1000] as const)
      .filter(([, weight]) => weight !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
