import {
  candidatesOf,
  prepare,
  valueOf,
  type LearnedField,
  type Model,
} from '../../libs/receipt-reader/src/fields/find-fields';
import { rank, type Weights } from '../../libs/receipt-reader/src/fields/model';
import type { Page } from '../../libs/receipt-reader/src/page';
import type { ReadingSource } from '../../libs/receipt-reader/src/reading';
import { fit, type Question } from './fit';
import { PRIORS } from './priors';
import { reliabilityOf } from './reliability';

export const LEARNED_FIELDS: readonly LearnedField[] = [
  'vendorName',
  'vendorTaxId',
  'documentNumber',
  'date',
  'total',
  'tax',
];

/** A training document. */
export interface Lesson {
  readonly id: string;
  readonly pages: readonly Page[];
  readonly source: ReadingSource;
  /** The merchant or template. Documents with the same one are similar. */
  readonly merchant: string;
  /** Lessons with the same fold are left out of the training together. The default is the merchant. */
  readonly fold?: string;
  /** Real documents weigh more than noisy copies. */
  readonly weight: number;
  /** The true fields in the format of the scorer. */
  readonly truth: Readonly<Record<string, unknown>>;
}

/** Returns the scorer's verdict on a prediction for a field. undefined means no prediction. */
export type Judge = (field: string, predicted: unknown, truth: unknown) => string;

/** A training example of one field, with the data for scoring its answer. */
export interface Asked extends Question {
  readonly id: string;
  readonly merchant: string;
  readonly fold: string;
  readonly keys: readonly string[];
  /** The values of the candidates, in their order. */
  readonly values: readonly (string | number)[];
  readonly truth: unknown;
  /** Only for a tax: the same example for another total, in hundredths, than the true one. */
  readonly givenTotal?: (total: number | undefined) => Asked;
}

/** All training receipts are older. */
const TODAY = '2026-12-31';
/** The weight of a copy of an example without its right answer, which teaches to leave the field out. */
const MASKED_WEIGHT = 0.12;
const UNREACHED_WEIGHT = 0.5;

function totalOf(truth: Lesson['truth']): number | undefined {
  const told: unknown = truth['total'];
  const total: unknown = Array.isArray(told) ? told.at(0) : told;
  return typeof total === 'number' ? Math.round(total * 100) : undefined;
}

function askOne(lesson: Lesson, judge: Judge): [LearnedField, Asked][] {
  const told = LEARNED_FIELDS.filter((field) => lesson.truth[field] !== undefined);
  const prepared = prepare(lesson.pages, { source: lesson.source, today: TODAY });
  return told.map((field) => {
    const asked = askField(field, lesson, candidatesOf(field, prepared, totalOf(lesson.truth)), judge);
    return [field, field === 'tax' ? { ...asked, givenTotal: taxGiven(lesson, judge) } : asked];
  });
}

/** Parses the lesson again, because keeping the parsed lessons would take too much memory. */
const taxGiven =
  (lesson: Lesson, judge: Judge) =>
  (total: number | undefined): Asked => {
    const prepared = prepare(lesson.pages, { source: lesson.source, today: TODAY });
    return askField('tax', lesson, candidatesOf('tax', prepared, total), judge);
  };

function askField(
  field: LearnedField,
  lesson: Lesson,
  candidates: ReturnType<typeof candidatesOf>,
  judge: Judge,
): Asked {
  const truth = lesson.truth[field];
  const values = candidates.map((candidate) => valueOf(candidate.value));
  const right = values.map((value) => judge(field, value, truth) === 'tp');
  const reached = right.some(Boolean);
  return {
    id: lesson.id,
    merchant: lesson.merchant,
    fold: lesson.fold ?? lesson.merchant,
    truth,
    values,
    keys: candidates.map((candidate) => candidate.key),
    candidates: candidates.map(({ features }, index) => ({ features, right: right[index] === true })),
    noneRight: judge(field, undefined, truth) === 'tn' || !reached,
    weight: lesson.weight * (reached ? 1 : UNREACHED_WEIGHT),
  };
}

/** Returns the examples of all lessons, by field. */
export function ask(lessons: readonly Lesson[], judge: Judge): Record<LearnedField, Asked[]> {
  const questions: Record<LearnedField, Asked[]> = {
    vendorName: [],
    vendorTaxId: [],
    documentNumber: [],
    date: [],
    total: [],
    tax: [],
  };
  for (const lesson of lessons) {
    for (const [field, asked] of askOne(lesson, judge)) questions[field].push(asked);
  }
  return questions;
}

/** Most documents are from a few merchants, so each further document of a merchant has less weight. */
function evened(questions: readonly Asked[]): Asked[] {
  const counts = new Map<string, number>();
  for (const { merchant } of questions) counts.set(merchant, (counts.get(merchant) ?? 0) + 1);
  return questions.map((question) => ({
    ...question,
    weight: question.weight / (counts.get(question.merchant) ?? 1) ** 0.6,
  }));
}

const HOLD = 0.5;

function learnField(field: LearnedField, questions: readonly Asked[]): Weights {
  const even = evened(questions);
  const masked = even.map((question) => ({ ...question, maskedWeight: question.weight * MASKED_WEIGHT }));
  return fit(masked, PRIORS[field], HOLD);
}

/** The model's answer: a value and its confidence. */
export interface Answer {
  readonly id: string;
  readonly value: string | number | undefined;
  readonly confidence: number;
  readonly verdictAbove: string;
  readonly verdictBelow: string;
}

export function answer(question: Asked, field: LearnedField, weights: Weights, judge: Judge): Answer {
  const best = rank(
    question.candidates.map(({ features }, index) => ({
      value: question.values[index],
      key: question.keys[index] ?? '',
      features,
    })),
    weights,
  )[0];
  return {
    id: question.id,
    value: best?.candidate.value,
    confidence: best?.probability ?? 0,
    verdictAbove: judge(field, best?.candidate.value, question.truth),
    verdictBelow: judge(field, undefined, question.truth),
  };
}

/**
 * The minimum precision on unseen merchants that the threshold of each field must keep. Some transcripts have
 * a wrong total as their truth, so one further percent of precision for the total costs four percent of
 * recall.
 */
const LEAST_PRECISION: Readonly<Record<LearnedField, number>> = {
  vendorName: 0.9,
  vendorTaxId: 0.95,
  documentNumber: 0.93,
  date: 0.95,
  total: 0.966,
  tax: 0.95,
};

function figures(answers: readonly Answer[], threshold: number): { precision: number; f1: number } {
  let right = 0;
  let wrong = 0;
  let missed = 0;
  for (const one of answers) {
    const verdict = one.confidence >= threshold ? one.verdictAbove : one.verdictBelow;
    if (verdict === 'tp') right++;
    if (verdict === 'fp' || verdict === 'wrong') wrong++;
    if (verdict === 'fn' || verdict === 'wrong') missed++;
  }
  const precision = right + wrong > 0 ? right / (right + wrong) : 1;
  return { precision, f1: (2 * right) / Math.max(2 * right + wrong + missed, 1) };
}

/** The minimum threshold. Less likely answers are guesses, even if they would improve the score. */
const LOWEST = 0.4;
const THRESHOLDS = Array.from({ length: 30 }, (_, index) => Math.round((LOWEST + index * 0.02) * 100) / 100);

/**
 * Returns the threshold with the best F1 among those with sufficient precision, or else the most precise one.
 */
export function thresholdOf(field: LearnedField, answers: readonly Answer[]): number {
  const tried = THRESHOLDS.map((threshold) => ({ threshold, ...figures(answers, threshold) }));
  const precise = tried.filter(({ precision }) => precision >= LEAST_PRECISION[field]);
  const pool =
    precise.length > 0 ? precise : tried.sort((one, other) => other.precision - one.precision).slice(0, 1);
  return pool.reduce((best, one) => (one.f1 > best.f1 + 0.0005 ? one : best)).threshold;
}

/** Assigns a merchant, or another fold, to one of the parts of the cross-validation by its name. */
export function partOf(merchant: string, parts: number): number {
  let hash = 2166136261;
  for (const letter of merchant) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return (hash >>> 8) % parts;
}

const FOLDS = 3;

/** Returns the answers for merchants that were left out of the training (cross-validation). */
function answersToUnseen(
  field: LearnedField,
  questions: readonly Asked[],
  counts: (id: string) => boolean,
  answerOf: (question: Asked, weights: Weights) => Answer,
): Answer[] {
  return Array.from({ length: FOLDS }, (_, part) => {
    const isLeftOut = ({ fold }: Asked): boolean => partOf(fold, FOLDS) === part;
    const weights = learnField(
      field,
      questions.filter((question) => !isLeftOut(question)),
    );
    return questions
      .filter((question) => isLeftOut(question) && counts(question.id))
      .map((question) => answerOf(question, weights));
  }).flat();
}

/**
 * Returns the predicted totals in hundredths, by lesson. Taxes are predicted with them, whether they are
 * right or wrong.
 */
function totalsOf(answers: readonly Answer[], threshold: number): Map<string, number> {
  const found = answers.filter(({ confidence }) => confidence >= threshold);
  return new Map(found.map(({ id, value }) => [id, Math.round(Number(value) * 100)]));
}

/**
 * Trains the weights on all examples, and determines the thresholds and the reliability by cross-validation over
 * merchants.
 */
export function learn(
  asked: Record<LearnedField, Asked[]>,
  counts: (id: string) => boolean,
  judge: Judge,
): Model {
  const model = {} as Record<LearnedField, Model[LearnedField]>;
  let totals = new Map<string, number>();
  for (const field of LEARNED_FIELDS) {
    const questions = asked[field];
    const answers = answersToUnseen(field, questions, counts, (question, weights) =>
      answer(question.givenTotal?.(totals.get(question.id)) ?? question, field, weights, judge),
    );
    const threshold = thresholdOf(field, answers);
    if (field === 'total') totals = totalsOf(answers, threshold);
    const given = answers.filter(({ confidence }) => confidence >= threshold);
    const outcomes = given.map(({ confidence, verdictAbove }) => ({
      confidence,
      isRight: verdictAbove === 'tp',
    }));
    model[field] = {
      threshold,
      reliability: reliabilityOf(outcomes),
      weights: learnField(field, questions),
    };
  }
  return model;
}
