// Preloaded (`--require`) by processes that `npm run dev` keeps on standby. It loads the packages that take the longest, and
// blocks until the process is needed. The program is loaded after that, so that it is the latest build.
const fs = require('node:fs');

/** These take two thirds of the loading time of the API and the worker. Other packages are loaded later. */
const PACKAGES = [
  'reflect-metadata',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  '@nestjs/typeorm',
  'bullmq',
  'class-transformer',
  'class-validator',
  'ioredis',
  'pg',
  'pino',
  'prom-client',
  'rate-limiter-flexible',
  'typeorm',
];

const descriptor = Number(process.env.STANDBY_FD);
// Child processes of this process must not wait.
delete process.env.STANDBY_FD;
if (descriptor > 0) {
  for (const name of PACKAGES) load(name);
  // The supervisor writes a byte when the process is needed. If the supervisor ends, the read returns nothing.
  if (fs.readSync(descriptor, Buffer.alloc(1)) === 0) process.exit(0);
  fs.closeSync(descriptor);
}

function load(name) {
  try {
    require(name);
  } catch {
    // The program reports it if it needs the package.
  }
}
