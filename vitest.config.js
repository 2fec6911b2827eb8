import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.js';

/** Tests run as compiled, like the service itself, and the files of a worker share its modules: docs/decisions/0016-tests-share-modules.md */
export default defineConfig({
  test: {
    include: ['dist/test/**/*.test.js'],
    exclude: [],
    globalSetup: 'dist/test/support/global-setup.js',
    setupFiles: ['reflect-metadata'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--enable-source-maps'],
    pool: 'forks',
    isolate: false,
    // One more than most machines of a pipeline have cores: tests wait for processes, deadlines and expiring tokens.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst, hooks: 'list' },
    chaiConfig: { truncateThreshold: 0 }, // titles of tables and messages in full
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
