import 'reflect-metadata';
import { loadProcessConfig } from '@counterfoil/config';
import { releaseVersion, runProcess } from '@counterfoil/lifecycle';
import { collectProcessMetrics } from '@counterfoil/observability';
import { startApi } from './start-api';

void runProcess(async () => {
  const config = loadProcessConfig();
  collectProcessMetrics(releaseVersion(), config.dataDir);
  return await startApi(config);
});
