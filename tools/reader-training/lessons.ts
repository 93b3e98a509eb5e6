import type { Page } from '../../libs/receipt-reader/src/page';
import type { ReadingSource } from '../../libs/receipt-reader/src/reading';
import type { Lesson } from './learn';
import { withNoise } from './noise';

/** A human transcript of a receipt: one line of transcripts.jsonl. */
export interface Transcript {
  readonly id: string;
  readonly lines: readonly { text: string; x: number; y: number; w: number; h: number }[];
  readonly width: number;
  readonly height: number;
  readonly truth: Readonly<Record<string, unknown>>;
  /** True if the development set also has a document of the merchant. */
  readonly merchantInDevelopment: boolean;
}

/** A document of the development set: its truth and its pages as read. */
export interface Development {
  readonly id: string;
  readonly pages: readonly Page[];
  readonly source: ReadingSource;
  readonly truth: Readonly<Record<string, unknown>>;
}

const TRANSCRIPT_WEIGHT = 0.6;
const NOISY_WEIGHT = 0.4;
const DEVELOPMENT_WEIGHT = 1.5;

const lettersOf = (name: unknown): string =>
  String(Array.isArray(name) ? name[0] : name)
    .toUpperCase()
    .replace(/\b(?:SDN|BHD|S\/B|SB)\b\.?/g, '')
    .replace(/[^\p{L}\d]/gu, '');

function pageOf(transcript: Transcript): Page {
  const spans = transcript.lines.map(({ text, x, y, w, h }) => ({
    text,
    x,
    y,
    width: w,
    height: h,
    confidence: 1,
  }));
  return { width: transcript.width, height: transcript.height, spans };
}

/** Returns the transcript as a lesson, and a noisy copy of it as OCR might have read it. */
export function lessonsOfTranscript(transcript: Transcript, number: number): Lesson[] {
  const page = pageOf(transcript);
  const common = {
    source: 'ocr' as const,
    merchant: lettersOf(transcript.truth['vendorName']),
    truth: transcript.truth,
  };
  return [
    { ...common, id: transcript.id, pages: [page], weight: TRANSCRIPT_WEIGHT },
    { ...common, id: `${transcript.id}~`, pages: [withNoise(page, number + 1)], weight: NOISY_WEIGHT },
  ];
}

/** Generated documents share a template, although their vendors have different names. */
export function lessonOfDevelopment({ id, pages, source, truth }: Development): Lesson {
  const note = truth['note'] as { template?: string } | undefined;
  const merchant = note?.template ? `template ${note.template}` : lettersOf(truth['vendorName']);
  return { id, pages, source, merchant, truth, weight: DEVELOPMENT_WEIGHT };
}
