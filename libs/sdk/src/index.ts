export type * from './api-types.ts';
export { type Change, type ChangesOptions, type FeedDocument } from './changes.ts';
export {
  Counterfoil,
  type DocumentFeed,
  type Extraction,
  type Gateway,
  type ReceiptReader,
  type ReceiptSource,
  type Webhooks,
} from './client.ts';
export {
  type ClientErrorCode,
  CounterfoilError,
  type ErrorCode,
  type FieldProblem,
  isCounterfoilError,
  type ServiceErrorCode,
} from './errors.ts';
export { type StreamedDelivery, type StreamOptions, type StreamStart } from './event-stream.ts';
export { type FileTransfers, type UploadOptions, type UploadSource } from './files.ts';
export { List } from './list.ts';
export { type Call, type ListCall, type Resource } from './operation.ts';
export { type CallOptions, type ClientOptions, type IgnoredFields } from './request.ts';
export { type AnswerOf, type BodyOf, type Id, type QueryOf, type Route, type RowOf } from './route.ts';
