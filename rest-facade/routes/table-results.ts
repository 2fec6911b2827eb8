import type { Route } from './route.js';

const tenantId = '5hJ7kL9zU0GT8j8XCwNhfx';
const resultsVersion = 'Zb1m4nQ0u7yTq2cXk9sLw3vRj6e';
const contractId = '6tY8uI0oN9USw5R20pRIUu';
const runId = '2wE5rT8yS8cJRbmehUGf2t';

const spcResult = {
  resultId: '4sD6fG8hIFuOgm9Tr5RyH8',
  runId,
  capturedAt: '2026-01-31T12:00:05.000Z',
  overallStatus: 'OUT_OF_CONTROL',
  windowSize: 30,
  series: [
    {
      seriesId: `${contractId}:COLUMN_NULL_RATE:email`,
      seriesKind: 'COLUMN_NULL_RATE',
      status: 'OUT_OF_CONTROL',
      latestValue: 0.62,
      mean: 0.02,
      stddev: 0.005,
      lowerControl3Sigma: 0.005,
      lowerWarning2Sigma: 0.01,
      upperWarning2Sigma: 0.03,
      upperControl3Sigma: 0.035,
      violations: [
        {
          ruleId: 'NELSON_1',
          description: 'The value 0.62 is above the 3-sigma control limit of 0.035. The mean is 0.02.',
          pointsInvolved: 1,
        },
      ],
      trendSlope: 0.002,
    },
  ],
  tapContractId: contractId,
};

const qualityResult = {
  resultId: '1aS3dF5gIFzSQlYuMV9IIF',
  runId,
  capturedAt: '2026-01-31T12:00:05.000Z',
  overallStatus: 'FAIL',
  lifecycle: 'promote',
  checks: [
    {
      spec: {
        id: 'null_rate:email',
        description: 'The share of rows with no value in "email" is at most 0.05.',
        gate: 'GATE_2',
      },
      column: 'email',
      status: 'FAIL',
      comparator: 'LTE',
      observed: 0.62,
      threshold: 0.05,
      evidence: {
        message: 'null_rate of "email" is 0.62 (31 of 50 rows); at most 0.05 is allowed',
        runOverRunDelta: 0.6,
        sampleKeys: ['1001', '1002'],
      },
    },
  ],
  tapContractId: contractId,
};

const ORIGINS =
  'If external jobs report results for a contract (GraphQL mutation `recordTableRun`), the contract has up to two results. The latest result of the service precedes the latest result of an external job. The list omits contracts without results.';

const VERSIONED =
  '`resultsVersion` changes if and only if a result is added, replaced or removed. `resultsVersion` is the ETag of the response. A request with a matching `If-None-Match` returns 304.';

const versionBy = (operation: string): Route['version'] => ({
  of: (data) => (data as { resultsVersion: string }).resultsVersion,
  operation,
});

export const tableResultRoutes: readonly Route[] = [
  {
    operation: 'tableSpcResults',
    method: 'get',
    path: '/api/catalog/table-spc-results',
    tag: 'Tables',
    summary: 'Get the latest control charts',
    description: `The latest result of each contract of the tables in the workspace catalog, oldest table first. A result contains the latest value, the control limits and the rule violations of each series. ${ORIGINS} ${VERSIONED}`,
    version: versionBy('tableSpcResultsVersion'),
    example: { results: [spcResult], resultsVersion, tenantId },
  },
  {
    operation: 'tableQualityResults',
    method: 'get',
    path: '/api/catalog/table-quality-results',
    tag: 'Tables',
    summary: 'Get the latest quality checks',
    description: `The latest result of each contract of the tables in the workspace catalog, oldest table first. A result contains the status and evidence of each check. ${ORIGINS} ${VERSIONED}`,
    version: versionBy('tableQualityResultsVersion'),
    example: { results: [qualityResult], resultsVersion, tenantId },
  },
  {
    operation: 'tableSpcChart',
    method: 'get',
    path: '/api/catalog/tables/{id}/spc/{seriesId}.svg',
    extension: true,
    mediaType: 'image/svg+xml',
    tag: 'Tables',
    summary: 'Get the control chart of a series',
    description:
      'An SVG image of the latest points of a series, with mean, warning limits, control limits and rule violations. `points` is the maximum number of points, 60 by default. The image supports light and dark color schemes and screen readers. `seriesId` in the path is the percent-encoded `seriesId` from the response of `GET /api/catalog/table-spc-results`. An error response is JSON.',
    notFoundMessage: 'The table does not exist in the workspace catalog, or has no such series.',
    example: '<svg xmlns="http://www.w3.org/2000/svg" role="img"><title>orders: TABLE_ROW_COUNT</title></svg>',
  },
];
