/** Raised whenever a document may be read otherwise than before: what is kept of earlier versions is not used again. */
export const READER_VERSION = '2';
