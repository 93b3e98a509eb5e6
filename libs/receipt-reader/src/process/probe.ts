import '@napi-rs/canvas';
import 'onnxruntime-node';
import 'sharp';
import { accessSync } from 'node:fs';
import path from 'node:path';

// Entry point of a process that tests a sandbox. It is started like a reader, loads the native modules, which
// depend on the system, and checks that all other files are present.

accessSync(path.join(__dirname, 'child.js'));
for (const name of ['pdfjs-dist', 'tesseract.js']) require.resolve(name);
process.memoryUsage.rss();
process.send?.('ready', () => process.exit(0));
