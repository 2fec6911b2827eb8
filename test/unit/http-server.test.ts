import { expect, it } from '@jest/globals';
import Koa from 'koa';
import { createHttpServer } from '../../src/http-server.js';

it('bounds connections, their silence, and the time for headers and a whole request', () => {
  const { maxConnections, timeout, headersTimeout, requestTimeout } = createHttpServer(new Koa());
  expect({ maxConnections, timeout, headersTimeout, requestTimeout }).toEqual({
    ...{ maxConnections: 10_000, timeout: 120_000, headersTimeout: 10_000, requestTimeout: 3_610_000 },
  });
});
