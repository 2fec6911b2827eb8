import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.js';

/** Tests run as compiled, like the service itself, and the files of a worker share its modules: docs/decisions/0016-tests-share-modules.md */
export default defineConfig({
  test: {
    include: ['dist/test/**/*.test.js'],
    // Tests of test support, of the demo, of the memory of a worker and against other programs run with the soak tests.
    exclude: process.env.SOAK ? [] : ['dist/test/unit/support/**', 'dist/test/programs/**'],
    globalSetup: 'dist/test/support/global-setup.js',
    setupFiles: ['dist/test/support/setup.js'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Most workers end before V8 fills these 600 MB. With less memory, V8 marks the whole heap every few seconds, which takes 10 % of the CPU time.
    // Buffers count as part of that memory; by default, V8 marks the heap after every 100 MB of new buffers.
    execArgv: ['--enable-source-maps', '--initial-old-space-size=600', '--external-memory-accounted-in-global-limit'],
    pool: 'forks',
    isolate: false,
    // Three times the number of cores of most CI machines, because tests wait for processes, deadlines and expiring tokens.
    maxWorkers: 6,
    sequence: { sequencer: SlowestFirst, hooks: 'list' },
    chaiConfig: { truncateThreshold: 0 }, // titles of tables and messages in full
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
