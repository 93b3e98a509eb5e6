declare module 'heic-decode' {
  interface HeicImage {
    readonly width: number;
    readonly height: number;
    /** Four bytes a pixel: red, green, blue, alpha. The image is already rotated as the file requires. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  interface Decoder {
    /** Lists the images of the file without decoding them. */
    all(input: { buffer: Uint8Array }): Promise<HeicImage[] & { dispose(): void }>;
  }
  const decoder: Decoder;
  export = decoder;
}
