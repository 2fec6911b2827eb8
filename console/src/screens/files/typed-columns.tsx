import { useQuery } from 'urql';
import type { ArtifactColumnInput } from '../../gql/graphql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Card } from '../../ui/card.js';
import { QueryView } from '../../ui/query-view.js';
import { ColumnTable } from './column-table.js';
import { checkColumnsQuery, type File } from './file-query.js';
import { fileRoute } from './file-route.js';
import { PublishFile } from './publish-file.js';
import { RejectedRows } from './rejected-rows.js';

interface TypedColumnsProps {
  file: File;
  workspace: string;
  onChange: () => void;
}

export function TypedColumns({ file, onChange }: TypedColumnsProps) {
  const { columns: changes = [] } = fileRoute.useSearch();
  const navigate = fileRoute.useNavigate();
  const canPublish = useIsAllowed('artifacts:publish') && !file.attributedTapId;
  const [result, check] = useQuery({
    query: checkColumnsQuery,
    variables: { id: file.id, columns: changes },
    pause: !canPublish,
  });
  const change = (name: string, column?: ArtifactColumnInput): void => {
    const others = changes.filter((one) => one.name !== name);
    const columns = column ? [...others, column] : others;
    void navigate({ search: columns.length > 0 ? { columns } : {}, replace: true });
  };
  if (!canPublish) return <ColumnTable file={file} />;
  const found = result.data?.checkArtifactColumns;
  return (
    <>
      <Card
        title="Rows that do not fit"
        actions={
          <PublishFile
            file={file}
            check={found ?? undefined}
            changes={changes}
            onPublished={() => {
              void navigate({ search: {}, replace: true });
              onChange();
            }}
          />
        }
      >
        <QueryView result={result} onRetry={() => check({ requestPolicy: 'network-only' })}>
          {({ checkArtifactColumns }) => checkArtifactColumns && <RejectedRows check={checkArtifactColumns} />}
        </QueryView>
      </Card>
      <ColumnTable file={file} check={found ?? undefined} changes={changes} onChange={change} />
    </>
  );
}
