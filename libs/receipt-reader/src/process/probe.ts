import '@napi-rs/canvas';
import 'onnxruntime-node';
import 'sharp';
import { accessSync } from 'node:fs';
import path from 'node:path';

// The main file of a process that is started as a reader is, to find out whether a reader would work so: it loads what
// is not JavaScript, which depends on the system, and asks whether the rest is there.

accessSync(path.join(__dirname, 'child.js'));
for (const name of ['pdfjs-dist', 'tesseract.js']) require.resolve(name);
process.memoryUsage.rss();
process.send?.('ready', () => process.exit(0));
