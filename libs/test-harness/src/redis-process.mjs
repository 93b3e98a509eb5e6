// An in-memory Redis that may become a replica: see own-redis.ts. It ends with the process that started it.
import { spawn } from 'node:child_process';
import { answerCalls } from './answer-calls.mjs';

let server = null;

async function start(port) {
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  server = spawn('redis-server', settings, { stdio: 'ignore' });
}

answerCalls({ start }, () => server?.kill('SIGKILL'));
