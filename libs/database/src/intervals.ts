/** A span of time as a parameter of a statement. */
export const milliseconds = (count: number): string => `${count} milliseconds`;
