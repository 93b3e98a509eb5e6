// Exceptions of `npm run lint`: regular expressions that are not known to match in linear time. Each has its
// file, its source exactly as in the code, and the reason why it never gets text of unbounded length. An
// unused exception is an error, and so is one for a pattern that has become linear.
export const JUSTIFIED = [
  {
    file: 'libs/kernel/src/timestamp.ts',
    code: "new RegExp(`^(?<year>\\\\d{4})${date}(?:T${time}${offset})?$`, 'i')",
    reason:
      'put together from constants of the same file by a function; anchored at both ends, and its only unbounded ' +
      'repetition, the digits of the fraction, is followed by no digit',
  },
];
