import type { JsonObject, SavedReportDetails } from '@counterfoil/definitions';
import type { PipeTransform } from '@nestjs/common';
import { createValidationPipe } from '../http/validation';
import { CreateSavedReportBody } from './definitions.dto';

type Sent = Record<string, unknown> | undefined;

/**
 * Reads a report that is to be saved. What checks the bodies takes keys such as `constructor` and `prototype` out of all
 * that it is given, wherever they stand: it is given an empty object in the place of the filters, which stay as sent.
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
