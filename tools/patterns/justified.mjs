// Regular expressions that `npm run lint` lets pass although they are not known to be linear: each with its file, its
// source as it stands in the code, and the reason why no unbounded text reaches it. An entry that fits nothing is an
// error, and so is one for a pattern that has become linear.
export const JUSTIFIED = [
  {
    file: 'libs/kernel/src/timestamp.ts',
    code: "new RegExp(`^(?<year>\\\\d{4})${date}(?:T${time}${offset})?$`, 'i')",
    reason:
      'put together from constants of the same file by a function; anchored at both ends, and its only unbounded ' +
      'repetition, the digits of the fraction, is followed by no digit',
  },
];
