import { REQUEST_FILTERS, type LoggedRequest } from '@counterfoil/request-log';
import { IntegerProperty, NumberProperty, RecordProperty, TextProperty, TimeProperty } from '../http/answers';
import { ListFilters } from '../http/query-fields';

export class ListRequestsQuery extends ListFilters(REQUEST_FILTERS) {}

export class LoggedRequestBody implements LoggedRequest {
  @IntegerProperty() readonly id!: number;
  @TimeProperty({ description: 'When the request was received.' }) readonly at!: Date;
  @TextProperty({ example: 'POST' }) readonly method!: string;
  @TextProperty({ description: 'The path as in this description.', example: '/documents/id/{visibleId}' })
  readonly route!: string;
  @RecordProperty({
    nullable: true,
    description: 'The values in the path, by name; null if there are none.',
    example: { visibleId: '0b9d4c1e-7f2a-4c6d-9e3b-000000000001' },
  })
  readonly ids!: Readonly<Record<string, string>> | null;
  @IntegerProperty({ description: '499: the caller hung up before the answer.' }) readonly status!: number;
  @TextProperty({ nullable: true, description: 'The `code` of an error.', example: 'NOT_FOUND' })
  readonly errorCode!: string | null;
  @NumberProperty({ description: 'The time until the answer was sent, in milliseconds.' })
  readonly durationMs!: number;
  @TextProperty({ description: 'The `X-Request-Id` of the answer.' }) readonly requestId!: string;
  @IntegerProperty() readonly apiKeyId!: number;
}
