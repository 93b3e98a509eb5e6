import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiPayloadTooLargeResponse } from '@nestjs/swagger';
import { ErrorBody } from './error-body';
import type { JsonLimits } from './json-body';
import { tooLarge } from './to-app-error';

/** Lets one route take a larger JSON body than the others, and documents when it does not. */
export const TakesJson = (limits: JsonLimits) =>
  applyDecorators(
    RouteConfig({ json: limits }),
    ApiPayloadTooLargeResponse({ type: ErrorBody, description: tooLarge(limits.bytesMax) }),
  );
