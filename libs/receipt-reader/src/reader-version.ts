/** Raise this whenever a document may be read differently: cached readings of earlier versions are then not used. */
export const READER_VERSION = '2';
