/** The present day in Israel, by which documents and payments are due: `2026-11-27`. */
export const todayInIsrael = (now = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(now);
