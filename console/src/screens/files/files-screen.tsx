import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { FilesQuery } from '../../gql/graphql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Badge } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChips } from '../../ui/filter-chips.js';
import { formatBytes } from '../../ui/format-bytes.js';
import { pageVariables } from '../../ui/list-page.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { QueryView } from '../../ui/query-view.js';
import { SearchField } from '../../ui/search-field.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { FILE_STATES, isFileState, stateOf } from './file-state.js';
import { UploadFiles } from './upload-files.js';

const filesRoute = getRouteApi('/w/$workspace/files');

const filesQuery = graphql(`
  query Files($filter: ArtifactFilter, $limit: Int!, $offset: Int!, $readsTaps: Boolean!, $readsTables: Boolean!) {
    artifacts(filter: $filter, limit: $limit, offset: $offset) {
      total
      items {
        id
        fileName
        fileSize
        fileType
        path
        uploadStatus
        schemaInferenceStatus
        createdAt
        uploadedBy {
          id
          name
        }
        attributedTapId
        attributedTap @include(if: $readsTaps) {
          id
          publication {
            id
            status
          }
          table @include(if: $readsTables) {
            id
            name
            rows
          }
        }
      }
    }
  }
`);

type ListedFile = NonNullable<FilesQuery['artifacts']>['items'][number];

export function FilesScreen() {
  const { workspace } = filesRoute.useParams();
  const { name, state, page = 1 } = filesRoute.useSearch();
  const navigate = filesRoute.useNavigate();
  const canUpload = useIsAllowed('artifacts:write');
  const filter = { ...(name && { fileName: name }), ...(isFileState(state) && FILE_STATES[state].filter) };
  const [result, reload] = useQuery({
    query: filesQuery,
    variables: {
      ...{ filter: filter as never, ...pageVariables(page) },
      ...{ readsTaps: useIsAllowed('connectors:read'), readsTables: useIsAllowed('catalog:read') },
    },
  });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  return (
    <Page title="Files" lead="Uploaded files. A CSV file becomes a table when you publish it.">
      {canUpload && <UploadFiles workspace={workspace} onStored={refresh} />}
      <SearchField
        label="Search by file name"
        value={name ?? ''}
        onChange={(text) =>
          navigate({ search: { ...(text && { name: text }), ...(state && { state }) }, replace: true })
        }
      />
      <FilterChips
        label="State"
        options={[
          { key: '', label: 'All' },
          ...Object.entries(FILE_STATES).map(([key, { label }]) => ({ key, label })),
        ]}
        current={isFileState(state) ? state : ''}
        onChange={(key) => navigate({ search: { ...(name && { name }), ...(key && { state: key }) }, replace: true })}
      />
      <QueryView result={result} onRetry={refresh}>
        {({ artifacts: list }) =>
          !list || list.items.length === 0 ? (
            <NoFiles isFiltered={Boolean(name || state)} canUpload={canUpload} />
          ) : (
            <>
              <Card>
                <DataTable
                  columns={columnsOf(workspace)}
                  rows={list.items}
                  keyOf={({ id }) => id}
                  label="Files of the workspace"
                />
              </Card>
              <Pager
                page={page}
                total={list.total}
                onChange={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function NoFiles({ isFiltered, canUpload }: { isFiltered: boolean; canUpload: boolean }) {
  if (isFiltered) return <EmptyState title="No file matches the filters" />;
  return (
    <EmptyState title="No files yet">
      {canUpload
        ? 'Upload a CSV file first. The service infers the types of its columns. Then you publish the file as a table.'
        : 'Your role cannot upload files. Ask an editor to upload the first file.'}
    </EmptyState>
  );
}

function columnsOf(workspace: string): readonly [Column<ListedFile>, ...Column<ListedFile>[]] {
  return [
    {
      title: 'File',
      cell: ({ id, fileName, path }) => (
        <Link to="/w/$workspace/files/$file" params={{ workspace, file: id }} className="group block min-w-40">
          <span className="font-medium break-all group-hover:underline">{fileName}</span>
          {path && <span className="block text-xs font-normal break-all text-muted">{path}</span>}
        </Link>
      ),
    },
    { title: 'State', cell: (file) => <FileBadge file={file} /> },
    { title: 'Table', cell: (file) => <TableLink file={file} workspace={workspace} /> },
    { title: 'Type', cell: ({ fileType }) => fileType.toUpperCase() },
    { title: 'Size', align: 'right', cell: ({ fileSize }) => formatBytes(fileSize) },
    {
      title: 'Uploaded',
      className: 'whitespace-nowrap text-muted',
      cell: ({ createdAt, uploadedBy }) => (
        <>
          <TimeAgo at={createdAt} /> by {uploadedBy.name}
        </>
      ),
    },
  ];
}

function FileBadge({ file }: { file: ListedFile }) {
  const { label, tone } = stateOf(file);
  return <Badge tone={tone}>{label}</Badge>;
}

function TableLink({ file: { attributedTap }, workspace }: { file: ListedFile; workspace: string }) {
  const table = attributedTap?.table;
  if (!table) return '–';
  return (
    <Link to="/w/$workspace/tables/$table" params={{ workspace, table: table.id }} className="hover:underline">
      {table.name}
    </Link>
  );
}
