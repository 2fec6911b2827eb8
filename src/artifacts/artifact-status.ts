import { wireEnum } from '../kernel/entities/wire-enum.js';

export const ArtifactFileType = wireEnum('ArtifactFileType', 'File type, detected from the content.', {
  csv: 'Text with delimited columns.',
  xlsx: 'An Excel workbook (Office Open XML).',
  xls: 'An Excel 97-2003 workbook.',
  numbers: 'An Apple Numbers document.',
  ods: 'An OpenDocument spreadsheet.',
  zip: 'A ZIP archive. The service does not unpack it.',
});
export type ArtifactFileType = keyof typeof ArtifactFileType;

export const ArtifactUploadStatus = wireEnum('ArtifactUploadStatus', 'Upload state of a file.', {
  pending: 'The upload is in progress.',
  ready: 'The upload is complete.',
  failed:
    'The service stopped during the upload. Nothing was stored. The service removes the file from the list about 2 hours later.',
});
export type ArtifactUploadStatus = keyof typeof ArtifactUploadStatus;

export const SchemaInferenceStatus = wireEnum('SchemaInferenceStatus', 'State of the schema inference of a file.', {
  not_requested: 'No inference was requested.',
  running: 'An inference is in progress.',
  succeeded:
    'The latest inference succeeded. `dataSchema` contains the inferred types or, if the file is published, the types of the table.',
  failed: 'The latest inference failed. The file keeps its earlier schema.',
});
export type SchemaInferenceStatus = keyof typeof SchemaInferenceStatus;
