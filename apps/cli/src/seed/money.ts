// Amounts are whole numbers of agorot or cents until they are sent, because sums of fractions are not exact.

export const amountOf = (cents: number): number => cents / 100;

export const textOf = (cents: number): string => amountOf(cents).toFixed(2);

export const percentOf = (cents: number, percent: number): number => Math.floor((cents * percent + 50) / 100);
