import {
  FILTERS_BYTES_MAX,
  FILTERS_DEPTH_MAX,
  type JsonObject,
  type SavedReportDetails,
  type SavedReportRow,
} from '@counterfoil/definitions';
import type { PipeTransform } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IntegerProperty, SuccessBody, TextProperty, TimeProperty } from '../http/answers';
import { field } from '../http/field';
import { TextField } from '../http/fields';
import { createValidationPipe } from '../http/validation';

const NAME_MAX = 100;

/** The domain checks the content of `filters`. */
export class CreateSavedReportBody {
  @TextField({ presence: 'required', max: NAME_MAX, description: 'Need not be unique.', example: 'Unpaid' })
  readonly name!: string;
  @field(
    {
      presence: 'required',
      description: `Any JSON object of up to ${FILTERS_BYTES_MAX} bytes and ${FILTERS_DEPTH_MAX} levels; kept, and answered, as it is sent. Numbers up to ${Number.MAX_SAFE_INTEGER}.`,
      example: { type: ['TAX_INVOICE'], status: 'OPEN', total: { from: 1000 } },
    },
    { type: 'object', additionalProperties: true },
    (value) => (typeof value === 'object' && !Array.isArray(value) ? null : 'must be an object'),
  )
  readonly filters!: JsonObject;
}

export class CreatedSavedReportBody extends SuccessBody {
  @IntegerProperty() readonly savedReportId!: number;
}

export class SavedReportBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'As they were sent.' })
  readonly filters!: JsonObject;
  @TimeProperty() readonly createdAt!: string;
}

/** A row as JSON text, with the filters exactly as they were stored. */
export function presentSavedReport({ id, name, filtersJson, createdAt }: SavedReportRow): string {
  const before = JSON.stringify({ id, name }).slice(0, -1);
  return `${before},"filters":${filtersJson},"createdAt":"${createdAt.toISOString()}"}`;
}

type Sent = Record<string, unknown> | undefined;

/**
 * Validates a new saved report. The validation pipe would remove keys such as `constructor` and `prototype` at any
 * depth, so it gets an empty object in place of the filters, and the filters stay as they were sent.
 */
export class SavedReportPipe implements PipeTransform<Sent, Promise<SavedReportDetails>> {
  private readonly validation = createValidationPipe();

  async transform(body: Sent): Promise<SavedReportDetails> {
    const filters = body?.['filters'];
    const shown = isJsonObject(filters) ? { ...body, filters: {} } : body;
    const checked: unknown = await this.validation.transform(shown, {
      type: 'body',
      metatype: CreateSavedReportBody,
    });
    return { name: (checked as CreateSavedReportBody).name, filters: filters as JsonObject };
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function presentCreatedSavedReport(savedReportId: number): CreatedSavedReportBody {
  return { success: true, savedReportId };
}
