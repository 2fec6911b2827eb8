import type { Route } from './route.js';

const artifact = {
  id: '3fK8mQ2xWFrVLcR2Ir74QG',
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: '2vMb1qUYpXl5LQ4Q8mB808',
  updatedAt: '2026-01-31T12:00:00.000Z',
  updatedBy: '2vMb1qUYpXl5LQ4Q8mB808',
  fileName: 'orders.csv',
  fileSize: 48213,
  fileType: 'csv',
  uploadStatus: 'ready',
  schemaInferenceStatus: 'not_requested',
  uploadedBy: { id: '2vMb1qUYpXl5LQ4Q8mB808', name: 'Ada Lovelace', email: 'ada@example.com' },
  dataSchema: {
    dialect: {
      encoding: 'utf-8',
      delimiter: ',',
      quote: '"',
      escape: '"',
      skipLines: 0,
      header: true,
      comment: null,
    },
    fields: [
      { name: 'order_id', type: 'String', nullable: false },
      { name: 'ordered_on', type: 'String', nullable: false },
    ],
  },
  path: '/reports/2026',
};

const sampleRows = [{ order_id: '1001', ordered_on: '2026-01-30' }];

const schema = {
  ...artifact.dataSchema,
  fields: [
    { name: 'order_id', type: 'Integer', nullable: false },
    { name: 'ordered_on', type: 'Date', nullable: false, format: 'yyyy-MM-dd' },
  ],
};

const evidence = { confidence: 'high', demoted: false, sampleSeen: 412, sampleFailures: 0 };

export const artifactRoutes: readonly Route[] = [
  {
    operation: 'artifacts',
    method: 'get',
    path: '/api/artifacts',
    extension: true,
    paged: true,
    tag: 'Artifacts',
    summary: 'Files',
    description:
      'Files of the workspace, the newest first; with `path`, those of one folder. Their `dataSchema` is left out: ask for the file.',
    example: { items: [{ ...artifact, dataSchema: undefined }], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'uploadArtifact',
    method: 'post',
    path: '/api/artifacts/upload-artifact',
    tag: 'Artifacts',
    summary: 'Upload a file',
    description:
      'Keeps a CSV, XLSX, XLS, NUMBERS, ODS or ZIP file. The type is found from the content; a name whose extension says another one is refused. Of CSV files the head is looked into: encoding, delimiter and columns must be clear, `dataSchema` then names the columns, each a String, and `sampleRows` shows the first rows. Everything else is kept as it is. The answer comes once all bytes are durable. 20 uploads a minute for a caller.',
    upload: true,
    errorCodes: [
      'WA-AF-001',
      'WA-AF-002',
      'WA-AF-003',
      'WA-AF-004',
      'WA-AF-005',
      'WA-AF-006',
      'WA-AF-007',
      'WA-AF-008',
      'WA-AF-009',
      'WA-AF-010',
      'WA-AF-011',
      'WA-AF-012',
      'WA-AF-013',
      'WA-AF-025',
      'WA-AF-029',
      'STORAGE_QUOTA_EXCEEDED',
    ],
    callsOut: true,
    leaseSeconds: 3_700, // the body may take an hour
    example: { artifact, sampleRows, inference: null, inferenceError: null },
  },
  {
    operation: 'runArtifactSchemaInference',
    method: 'post',
    path: '/api/artifacts/run-artifact-schema-inference',
    tag: 'Artifacts',
    summary: 'Find the types of the columns',
    description:
      'Proposes a type for each column of a CSV file from its first 10,000 records and verifies it by every value of them. What fails is no error of the request: 200 with `inferenceError`, the state `failed`, and an earlier schema kept. `WA-AF-020` (no CSV file), `WA-AF-021` (not ready) and `WA-AF-022` (a run is under way) leave the state as it was.',
    errorCodes: ['NOT_FOUND'],
    callsOut: true,
    example: {
      artifact: { ...artifact, schemaInferenceStatus: 'succeeded', dataSchema: schema },
      sampleRows,
      inference: {
        columnMetadata: [
          { fieldPath: 'order_id', ...evidence },
          { fieldPath: 'ordered_on', ...evidence },
        ],
        model: 'rules/1',
        schema,
        tokenInputCount: 0,
        tokenOutputCount: 0,
      },
      inferenceError: null,
    },
  },
  {
    operation: 'artifact',
    method: 'get',
    path: '/api/artifacts/{artifactId}',
    tag: 'Artifacts',
    summary: 'One file',
    description:
      'The file; `data` is null where there is none of that id in the workspace, or where the caller may not see it.',
    example: artifact,
  },
  {
    operation: 'updateArtifact',
    method: 'patch',
    path: '/api/artifacts/{artifactId}',
    tag: 'Artifacts',
    summary: 'Rename or move a file',
    description:
      'Fields that are left out keep their value; `{}` changes nothing and returns the file. A `path` of null moves the file to the root.',
    errorCodes: ['NOT_FOUND', 'WA-AF-013'],
    example: { ...artifact, path: null },
  },
  {
    operation: 'deleteArtifact',
    method: 'delete',
    path: '/api/artifacts/{artifactId}',
    tag: 'Artifacts',
    summary: 'Delete a file',
    description:
      'The file leaves every list; its bytes are destroyed 30 days later. Refused while there is a workspace tap that was published from it.',
    errorCodes: ['NOT_FOUND', 'ARTIFACT_HAS_TAP'],
    example: true,
  },
];
