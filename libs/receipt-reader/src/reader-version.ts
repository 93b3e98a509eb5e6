/**
 * Increase this whenever a document may be read differently. Cached readings of earlier versions are then
 * ignored.
 */
export const READER_VERSION = '9';
