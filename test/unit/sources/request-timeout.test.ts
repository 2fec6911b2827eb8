import { expect, it } from 'vitest';
import { exchangeTimeoutMs, requestTimeoutMs } from '../../../src/sources/request-timeout.js';
import { aConnection } from '../../support/sources/source-connection.js';

it.each([
  ['nothing', undefined, 30_000, 30_000],
  ['5 seconds', 5, 5_000, 5_000],
  ['2 minutes', 120, 120_000, 30_000],
])(
  'a connector with a timeout of %s uses it for reads, and at most 30 seconds for an exchange',
  (_, timeoutSeconds, reading, exchange) => {
    const connection = aConnection({ connector: { timeoutSeconds } });
    expect([requestTimeoutMs(connection), exchangeTimeoutMs(connection)]).toEqual([reading, exchange]);
  },
);
