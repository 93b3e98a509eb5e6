/** Formats a duration as a parameter of type `interval`. */
export const milliseconds = (count: number): string => `${count} milliseconds`;
