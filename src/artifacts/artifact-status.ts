import { wireEnum } from '../kernel/entities/wire-enum.js';

export const ArtifactFileType = wireEnum('ArtifactFileType', 'What a file is, by its content.', {
  csv: 'Text with delimited columns.',
  xlsx: 'An Excel workbook (Office Open XML).',
  xls: 'An Excel workbook of before 2007.',
  numbers: 'An Apple Numbers document.',
  ods: 'An OpenDocument spreadsheet.',
  zip: 'An archive, which is kept as it is.',
});
export type ArtifactFileType = keyof typeof ArtifactFileType;

export const ArtifactUploadStatus = wireEnum('ArtifactUploadStatus', 'How far the upload of a file is.', {
  pending: 'The bytes are on their way.',
  ready: 'All bytes are kept.',
  failed: 'The service was stopped in the middle of it; nothing is kept, and the file leaves the list within hours.',
});
export type ArtifactUploadStatus = keyof typeof ArtifactUploadStatus;

export const SchemaInferenceStatus = wireEnum('SchemaInferenceStatus', 'Whether the types of the columns are known.', {
  not_requested: 'Nobody asked.',
  running: 'Being looked into.',
  succeeded: '`dataSchema` has them.',
  failed: 'The latest run failed; an earlier schema is kept.',
});
export type SchemaInferenceStatus = keyof typeof SchemaInferenceStatus;
