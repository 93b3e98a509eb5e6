import { applyDecorators } from '@nestjs/common';
import { ApiPayloadTooLargeResponse } from '@nestjs/swagger';
import { ErrorBody } from './error-body';
import type { JsonLimits } from './json-limits';
import { routeConfig } from './route-config.decorator';
import { tooLarge } from './to-app-error';

/** Lets one route take a larger JSON body than the others, and documents when it does not. */
export const TakesJson = (limits: JsonLimits) =>
  applyDecorators(
    routeConfig({ json: limits }),
    ApiPayloadTooLargeResponse({ type: ErrorBody, description: tooLarge(limits.bytesMax) }),
  );
