export { confirmFields } from './fields/confirm-fields';
export { type DocumentKind, kindOfExtension } from './file-kind';
export { type ReceiptDocument, ReceiptProcesses } from './process/receipt-processes';
export { ReaderLost } from './process/reader-process';
export { FIELD_NAMES, type FieldName, type Reading, type ReadingSource, type ReceiptFields } from './reading';
export { READER_VERSION } from './reader-version';
export type { Unreadable } from './unreadable-document';
