export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { configFile: '.swcrc' }] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  setupFiles: ['reflect-metadata'],
  // One more than most machines of a pipeline have cores: tests wait for processes, deadlines and lives of tokens to end.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/slowest-first.js',
  testTimeout: 180_000,
};
