import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.js';

/**
 * Vitest runs the compiled tests, and the test files of a worker share its modules:
 * docs/decisions/0016-tests-share-modules.md
 */
export default defineConfig({
  test: {
    include: ['dist/test/**/*.test.js'],
    // Only `npm run test:soak` includes the tests of test support, benches, the demo, worker memory and other programs.
    exclude: process.env.SOAK ? [] : ['dist/test/unit/support/**', 'dist/test/programs/**'],
    globalSetup: 'dist/test/support/global-setup.js',
    setupFiles: ['dist/test/support/setup.js'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Most workers end before V8 fills these 600 MB. With less memory, V8 marks the whole heap every few seconds, which takes 10 % of the CPU time.
    // The last option counts buffers as heap. Without it, V8 marks the heap after every 100 MB of new buffers.
    execArgv: ['--enable-source-maps', '--initial-old-space-size=600', '--external-memory-accounted-in-global-limit'],
    pool: 'forks',
    isolate: false,
    // Three times the number of cores of most CI machines, because tests wait for processes, deadlines and expiring tokens.
    maxWorkers: 6,
    sequence: { sequencer: SlowestFirst, hooks: 'list' },
    chaiConfig: { truncateThreshold: 0 }, // shows values in full in test titles and error messages
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
