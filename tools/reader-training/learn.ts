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

export const LEARNED_FIELDS: readonly LearnedField[] = [
  'vendorName',
  'vendorTaxId',
  'documentNumber',
  'date',
  'total',
  'tax',
];

/** A document to learn from. */
export interface Lesson {
  readonly id: string;
  readonly pages: readonly Page[];
  readonly source: ReadingSource;
  /** The merchant or template that documents share. */
  readonly merchant: string;
  /** Real documents weigh more than noisy copies. */
  readonly weight: number;
  /** Fields as the scorer's truth has them. */
  readonly truth: Readonly<Record<string, unknown>>;
}

/** The scorer's verdict on a prediction (undefined: none) for a field. */
export type Judge = (field: string, predicted: unknown, truth: unknown) => string;

/** One field's question in one document, and which answers are right by it. */
export interface Asked extends Question {
  readonly id: string;
  readonly merchant: string;
  readonly keys: readonly string[];
  /** Whether the answers count in a score: noisy copies and masked questions do not. */
  readonly values: readonly (string | number)[];
  readonly truth: unknown;
  /** The same question where the total, in hundredths, is another one than the truth's; of a tax alone. */
  readonly givenTotal?: (total: number | undefined) => Asked;
}

/** No receipt of the lessons is later. */
const TODAY = '2026-12-31';
/** The weight of a question without its right answer, which teaches to leave the field out. */
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

/** Reads the lesson anew: what was found in it is too much to keep. */
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
    truth,
    values,
    keys: candidates.map((candidate) => candidate.key),
    candidates: candidates.map(({ features }, index) => ({ features, right: right[index] === true })),
    noneRight: judge(field, undefined, truth) === 'tn' || !reached,
    weight: lesson.weight * (reached ? 1 : UNREACHED_WEIGHT),
  };
}

/** All fields' questions of the lessons, by field. */
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

/** The same question with the right answers taken away. */
function masked(question: Question): Question {
  return {
    candidates: question.candidates.filter((candidate) => !candidate.right),
    noneRight: true,
    weight: question.weight * MASKED_WEIGHT,
  };
}

/** Few merchants have most documents: each further document of one weighs less. */
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
  return fit([...even, ...even.map(masked)], PRIORS[field], HOLD);
}

/** The answer of the weights: a value and its confidence. */
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
    confidence: best?.confidence ?? 0,
    verdictAbove: judge(field, best?.candidate.value, question.truth),
    verdictBelow: judge(field, undefined, question.truth),
  };
}

/**
 * The least precision that a field's threshold must keep on what was not trained on. Some transcripts have another
 * amount than the total for their truth: a hundredth more of the total's precision costs four of its recall.
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

/** A less likely answer is a guess, whatever it would score. */
const LOWEST = 0.4;
const THRESHOLDS = Array.from({ length: 30 }, (_, index) => Math.round((LOWEST + index * 0.02) * 100) / 100);

/** The threshold with the best F1 among those that are precise enough, else the most precise. */
export function thresholdOf(field: LearnedField, answers: readonly Answer[]): number {
  const tried = THRESHOLDS.map((threshold) => ({ threshold, ...figures(answers, threshold) }));
  const precise = tried.filter(({ precision }) => precision >= LEAST_PRECISION[field]);
  const pool =
    precise.length > 0 ? precise : tried.sort((one, other) => other.precision - one.precision).slice(0, 1);
  return pool.reduce((best, one) => (one.f1 > best.f1 + 0.0005 ? one : best)).threshold;
}

/** Whether two merchants' documents fall into the same part of `parts`, by name alone. */
export function partOf(merchant: string, parts: number): number {
  let hash = 2166136261;
  for (const letter of merchant) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return (hash >>> 8) % parts;
}

const FOLDS = 3;

/** Answers to the questions of merchants left out in turn. */
function answersToUnseen(
  field: LearnedField,
  questions: readonly Asked[],
  counts: (id: string) => boolean,
  answerOf: (question: Asked, weights: Weights) => Answer,
): Answer[] {
  return Array.from({ length: FOLDS }, (_, part) => {
    const isLeftOut = ({ merchant }: Asked): boolean => partOf(merchant, FOLDS) === part;
    const weights = learnField(
      field,
      questions.filter((question) => !isLeftOut(question)),
    );
    return questions
      .filter((question) => isLeftOut(question) && counts(question.id))
      .map((question) => answerOf(question, weights));
  }).flat();
}

/** The totals that are found, in hundredths, by lesson: a tax is looked for with them, right or wrong. */
function totalsOf(answers: readonly Answer[], threshold: number): Map<string, number> {
  const found = answers.filter(({ confidence }) => confidence >= threshold);
  return new Map(found.map(({ id, value }) => [id, Math.round(Number(value) * 100)]));
}

/** Weights from all questions; thresholds from the answers to those of merchants left out in turn. */
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
    model[field] = { threshold, weights: learnField(field, questions) };
  }
  return model;
}
