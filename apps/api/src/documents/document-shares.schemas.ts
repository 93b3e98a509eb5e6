import type { IssuedKey } from '@counterfoil/documents';
import { DOCUMENT_LANGUAGES, type DocumentLanguage, parseTimestamp } from '@counterfoil/kernel';
import { RENDITION_STAMPS, type RenditionStamp } from '@counterfoil/renditions';
import { type CreatedShare, SHARE_DAYS_MAX, type ShareInput, type ShareRow } from '@counterfoil/sharing';
import {
  ChoiceProperty,
  IntegerProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
  UriProperty,
} from '../http/answers';
import { ChoiceField, IdField, IntegerField, TimestampField } from '../http/fields';

/** How the service chooses the stamp of a hand-over. */
export const ORIGINAL_ONCE =
  'When left out: `original` if no mail and no link has handed the document over as the original before, else `copy`. A quote, a proforma and an order are always originals.';

export class ShareDocumentBody {
  @IntegerField({
    presence: 'optional',
    min: 1,
    max: SHARE_DAYS_MAX,
    description: 'How many days the link opens the document; 30 if neither this nor `expiresAt` is sent.',
  })
  readonly expiresInDays?: number | null;
  @TimestampField({
    presence: 'optional',
    description: `Until when the link opens the document, at most ${SHARE_DAYS_MAX} days ahead; in place of \`expiresInDays\`.`,
    example: '2026-12-31T22:00:00Z',
  })
  readonly expiresAt?: string | null;
  @ChoiceField({
    presence: 'optional',
    choices: RENDITION_STAMPS,
    description: `The mark on the page and its PDF. ${ORIGINAL_ONCE}`,
  })
  readonly stamp?: RenditionStamp | null;
  @ChoiceField({
    presence: 'optional',
    choices: DOCUMENT_LANGUAGES,
    description: 'The language of the page and its PDF; when left out, that of the files of the document.',
  })
  readonly language?: DocumentLanguage | null;
  @IdField({
    presence: 'optional',
    description:
      'A payment page of the gateway: the page of the link leads there while something of the document is left to pay.',
  })
  readonly paymentPageId?: number | null;
}

export class CreatedShareBody extends SuccessBody {
  @IntegerProperty() readonly id!: number;
  @UriProperty({ description: 'Opens the document to whoever has it. It is not stored: keep it.' })
  readonly url!: string;
  @ChoiceProperty(RENDITION_STAMPS, { description: 'The mark on the page and its PDF.' })
  readonly stamp!: RenditionStamp;
  @TimeProperty() readonly expiresAt!: string;
}

export class ShareBody {
  @IntegerProperty() readonly id!: number;
  @ChoiceProperty(RENDITION_STAMPS) readonly stamp!: RenditionStamp;
  @ChoiceProperty(DOCUMENT_LANGUAGES, {
    nullable: true,
    description: 'null: that of the files of the document.',
  })
  readonly language!: DocumentLanguage | null;
  @IntegerProperty({ nullable: true, description: 'The payment page that the page of the link leads to.' })
  readonly paymentPageId!: number | null;
  @TimeProperty() readonly expiresAt!: string;
  @TimeProperty({ nullable: true }) readonly revokedAt!: string | null;
  @TextProperty({ description: '`api-key:` and the id of a key.', example: 'api-key:7' })
  readonly createdBy!: string;
  @TimeProperty() readonly createdAt!: string;
  @IntegerProperty({ description: 'How often the page or its PDF was opened.' }) readonly views!: number;
  @TimeProperty({ nullable: true }) readonly firstViewedAt!: string | null;
  @TimeProperty({ nullable: true }) readonly lastViewedAt!: string | null;
}

/** A null counts as left out. */
export function toShareInput(document: IssuedKey, body: ShareDocumentBody): ShareInput {
  const { expiresInDays, expiresAt, stamp, language, paymentPageId } = body;
  return {
    document,
    expiresInDays: expiresInDays ?? null,
    expiresAt: expiresAt === undefined || expiresAt === null ? null : parseTimestamp(expiresAt),
    stamp: stamp ?? null,
    language: language ?? null,
    paymentPageId: paymentPageId ?? null,
  };
}

/**
 * The answer without the link: it may be stored under an idempotency key, and the database must not contain what opens a
 * document. `InsertShareUrl` replaces the public id in `url`.
 */
export function presentCreatedShare({ id, publicId, stamp, expiresAt }: CreatedShare): CreatedShareBody {
  return { success: true, id, url: publicId, stamp, expiresAt: expiresAt.toISOString() };
}

export function presentShare(share: ShareRow): ShareBody {
  const { id, stamp, language, paymentPageId, expiresAt, revokedAt, createdBy, createdAt } = share;
  const { views, firstViewedAt, lastViewedAt } = share;
  return {
    ...{ id, stamp, language, paymentPageId, createdBy, views },
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    firstViewedAt: firstViewedAt?.toISOString() ?? null,
    lastViewedAt: lastViewedAt?.toISOString() ?? null,
  };
}
