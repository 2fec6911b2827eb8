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
    summary: 'List files',
    description:
      'Files of the workspace, newest first. `path` limits the list to one folder. The list omits `dataSchema`. To read `dataSchema`, get a single file.',
    example: { items: [{ ...artifact, dataSchema: undefined }], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'uploadArtifact',
    method: 'post',
    path: '/api/artifacts/upload-artifact',
    tag: 'Artifacts',
    summary: 'Upload a file',
    description:
      'Stores a CSV, XLSX, XLS, NUMBERS, ODS or ZIP file. The service detects the type from the content and rejects a file name with the extension of a different type. For a CSV file, the service also reads the start of the file. It rejects the CSV file if it cannot detect the encoding or the delimiter, or cannot read the header and rows as a table. In the response, `dataSchema` lists the columns, each of type String, and `sampleRows` contains the first rows. Of other files, the service checks only the type. The service responds after it has stored all bytes. A caller can upload at most 20 files per minute.',
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
    leaseSeconds: 3_700, // The client may take an hour to send the body.
    example: { artifact, sampleRows, inference: null, inferenceError: null },
  },
  {
    operation: 'runArtifactSchemaInference',
    method: 'post',
    path: '/api/artifacts/run-artifact-schema-inference',
    tag: 'Artifacts',
    summary: 'Infer the column types of a file',
    description:
      'Reads the first records of a CSV file: at most 10,000 records and at most 8 MiB. Proposes a type for each column, and verifies the type against all values of the records. `dataSchema` of a published file does not change. If the inference fails, the response is 200 with `inferenceError`. The file then keeps its earlier schema. `schemaInferenceStatus` becomes `failed`, except for `WA-AF-020` (not a CSV file), `WA-AF-021` (file not ready) and `WA-AF-022` (an inference is already running).',
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
        model: 'rules/3',
        schema,
        structure: {
          ...{
            rows: 400,
            paddedRows: 2,
            longRows: 0,
            repeatedHeaders: 0,
            remarks: 0,
            otherTableRows: 0,
            skippedLines: 0,
            droppedColumns: 0,
          },
          evidence: ['The service padded 2 rows to 2 values: lines 12, 40.'],
        },
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
    summary: 'Get a file',
    description:
      'Returns the metadata of the file, not its content. `data` is null if the workspace has no file with this id or the caller is not allowed to read it.',
    example: artifact,
  },
  {
    operation: 'updateArtifact',
    method: 'patch',
    path: '/api/artifacts/{artifactId}',
    tag: 'Artifacts',
    summary: 'Rename or move a file',
    description:
      'Omitted fields keep their value. A request with the body `{}` changes nothing and returns the file. A `path` of null moves the file to the root folder.',
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
      'Removes the file from all lists and destroys its bytes 30 days later. Returns 409 (`ARTIFACT_HAS_TAP`) while the workspace has a tap that was published from the file.',
    errorCodes: ['NOT_FOUND', 'ARTIFACT_HAS_TAP'],
    example: true,
  },
];
