import type { FilesQuery, PublicationStatus } from '../../gql/graphql.js';
import type { StatusView } from '../../ui/tone.js';

type ListedFile = NonNullable<FilesQuery['artifacts']>['items'][number];

export const FILE_STATES = {
  untyped: { label: 'Types unknown', filter: { schemaInferenceStatus: ['not_requested'] } },
  typed: { label: 'Types inferred', filter: { schemaInferenceStatus: ['succeeded'] } },
  failed: { label: 'Inference failed', filter: { schemaInferenceStatus: ['failed'] } },
} as const;
export type FileState = keyof typeof FILE_STATES;

export function isFileState(text: string | undefined): text is FileState {
  return text !== undefined && text in FILE_STATES;
}

const PUBLICATIONS: Readonly<Record<PublicationStatus, StatusView>> = {
  queued: { label: 'Publishing', tone: 'info' },
  running: { label: 'Publishing', tone: 'info' },
  succeeded: { label: 'Published', tone: 'good' },
  failed: { label: 'Publication failed', tone: 'bad' },
};

const INFERENCES: Readonly<Record<ListedFile['schemaInferenceStatus'], StatusView>> = {
  not_requested: { label: 'Types unknown', tone: 'neutral' },
  running: { label: 'Inferring types', tone: 'info' },
  succeeded: { label: 'Ready to publish', tone: 'info' },
  failed: { label: 'Inference failed', tone: 'bad' },
};

const UPLOADS: Readonly<Record<ListedFile['uploadStatus'], StatusView | undefined>> = {
  pending: { label: 'Uploading', tone: 'info' },
  failed: { label: 'Upload failed', tone: 'bad' },
  ready: undefined,
};

interface StatedFile
  extends Pick<ListedFile, 'uploadStatus' | 'fileType' | 'schemaInferenceStatus' | 'attributedTapId'> {
  readonly attributedTap?: { readonly publication: { readonly status: PublicationStatus } | null } | null | undefined;
}

/** Returns the status of the latest step of a file: upload, inference or publication. */
export function stateOf(file: StatedFile): StatusView {
  const upload = UPLOADS[file.uploadStatus];
  if (upload) return upload;
  if (file.attributedTapId) return PUBLICATIONS[file.attributedTap?.publication?.status ?? 'succeeded'];
  return file.fileType === 'csv' ? INFERENCES[file.schemaInferenceStatus] : { label: 'Stored', tone: 'neutral' };
}
