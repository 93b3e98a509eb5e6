/** Gives bytes to the browser as a download. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by the end of this turn; some browsers read a little later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
