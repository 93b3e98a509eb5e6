export const MIB = 1024 * 1024;
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** An id that does not exist. */
export const UNKNOWN_ID = 999_999_999;
export const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
/** The pagination block of a list with one row that was requested without a window. */
export const PAGE = { limit: 50, offset: 0, hasMore: false, page: 1, pageSize: 50, totalPages: 1 };
