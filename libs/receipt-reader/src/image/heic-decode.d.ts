declare module 'heic-decode' {
  interface HeicImage {
    readonly width: number;
    readonly height: number;
    /** Four bytes a pixel: red, green, blue, alpha; turned as the file says. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  interface Decoder {
    /** The images of the file, none of them decoded yet. */
    all(input: { buffer: Uint8Array }): Promise<HeicImage[] & { dispose(): void }>;
  }
  const decoder: Decoder;
  export = decoder;
}
