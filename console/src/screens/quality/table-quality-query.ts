import { graphql } from '../../gql/gql.js';
import type { TableQualityQuery } from '../../gql/graphql.js';

export const tableQualityQuery = graphql(`
  query TableQuality($id: Base62Id!) {
    catalogTable(id: $id) {
      id
      name
      rows
      heldRecords
      proposedColumns
      tap {
        id
        name
        runs(limit: 1, orderBy: CREATED_AT_DESC) {
          id
          heldUntil
          recordsRead
          mode
        }
      }
      contracts(limit: 2) {
        id
        scope
        version
        degradedSince
        minHistoryForViolation
        series {
          kind
          column
          baseline
        }
        acceptedLevels {
          seriesId
          from
          acceptedAt
        }
        computed: qualityResults(limit: 1, filter: { lifecycle: [promote, monitor] }) {
          ...ChecksOfRun
        }
        reported: qualityResults(limit: 1, filter: { lifecycle: [transform] }) {
          ...ChecksOfRun
        }
        spcResults(limit: 60) {
          id
          runId
          capturedAt
          series {
            seriesId
            seriesKind
            status
            latestValue
            mean
            stddev
            lowerControl3Sigma
            lowerWarning2Sigma
            upperWarning2Sigma
            upperControl3Sigma
            chartType
            sampleSize
            violations {
              ruleId
              description
            }
          }
        }
      }
    }
  }

  fragment ChecksOfRun on TableQualityResult {
    id
    runId
    capturedAt
    overallStatus
    lifecycle
    checks {
      spec {
        id
        description
        gate
      }
      column
      status
      comparator
      observed
      threshold
      evidence {
        message
        runOverRunDelta
        sampleKeys
        topViolatingValues
      }
    }
  }
`);

export const qualityResultChanged = graphql(`
  subscription QualityResultChanged($tableId: Base62Id) {
    tableQualityResultChanged(tableId: $tableId) {
      id
      overallStatus
    }
  }
`);

export type QualityTable = NonNullable<TableQualityQuery['catalogTable']>;
export type Contract = NonNullable<QualityTable['contracts']>[number];
export type CheckedRun = NonNullable<Contract['computed']>[number];
export type Check = CheckedRun['checks'][number];
