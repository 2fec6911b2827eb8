import type { IsolationCase } from './isolation-cases.js';

const ofContract = (contractId: string) => ({ contractId, limit: 250 });
const CHART = 'get /api/catalog/tables/{id}/spc/{seriesId}.svg';

export const QUALITY_CASES: Record<string, IsolationCase> = {
  tableSpcResults: { rest: 'get /api/catalog/table-spc-results', fits: ({ results }) => results.length > 0 },
  tableQualityResults: { rest: 'get /api/catalog/table-quality-results', fits: ({ results }) => results.length > 0 },
  'tableSpcHistory.contractId': {
    ...{ names: 'contract', variables: ofContract, ended: 'NOT_FOUND', fits: ({ items }) => items.length > 0 },
  },
  'tableQualityHistory.contractId': {
    ...{ names: 'contract', variables: ofContract, ended: 'NOT_FOUND', fits: ({ items }) => items.length > 0 },
  },
  'tableSpcChart.id': {
    ...{ names: 'table', rest: CHART, missing: 'null', ended: 'null' },
    variables: (id, { live: { series: seriesId } }) => ({ id, seriesId }),
    fits: (chart) => chart.startsWith('<svg '),
  },
  'tableSpcChart.seriesId': {
    ...{ names: 'series', rest: CHART, missing: 'null', ended: 'null', malformed: 'null' },
    variables: (seriesId, { live: { table: id } }) => ({ id, seriesId }),
    fits: (chart) => chart.startsWith('<svg '),
  },
  'updateTableContract.input.id': {
    ...{ names: 'contract', ended: 'NOT_FOUND', fits: ({ id, windowSize }, own) => id === own && windowSize === 50 },
    variables: (id) => ({ input: { id, windowSize: 50 } }),
  },
  'previewTableContract.input.id': {
    ...{ names: 'contract', ended: 'NOT_FOUND', fits: ({ series }) => Array.isArray(series) },
    variables: (id) => ({ input: { id, windowSize: 50 } }),
  },
  'acceptSpcLevel.seriesId': {
    ...{
      names: 'series',
      ended: 'NOT_FOUND',
      malformed: 'NOT_FOUND',
      fits: ({ acceptedLevels }) => acceptedLevels === null,
    },
    variables: (seriesId) => ({ seriesId, from: null }),
  },
  'recordTableRun.input.tableId': {
    ...{ names: 'table', ended: 'NOT_FOUND', fits: ({ lifecycle }) => lifecycle === 'transform' },
    variables: (tableId, { make }) => ({
      input: {
        ...{ tableId, runId: make.text(), values: [{ kind: 'TABLE_ROW_COUNT', value: 1 }] },
        checks: [{ id: make.text(), description: make.text(), gate: 'GATE_3', status: 'PASS' }],
      },
    }),
  },
};
