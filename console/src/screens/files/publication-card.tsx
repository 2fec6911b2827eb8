import { Link } from '@tanstack/react-router';
import { usePolling } from '../../api/use-polling.js';
import { buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import { formatBytes } from '../../ui/format-bytes.js';
import { Notice } from '../../ui/notice.js';
import type { File } from './file-query.js';
import { RemoveTable } from './remove-table.js';

/** The service updates the progress about once a second. */
const POLL_MS = 1_000;

type Tap = NonNullable<File['attributedTap']>;
type Publication = NonNullable<Tap['publication']>;

interface PublicationCardProps {
  tap: Tap;
  workspace: string;
  onChange: () => void;
}

export function PublicationCard({ tap, workspace, onChange }: PublicationCardProps) {
  const { publication, table } = tap;
  const isOpen = publication?.status === 'queued' || publication?.status === 'running';
  usePolling(() => isOpen && onChange(), POLL_MS);
  return (
    <Card title={`Published as ${tap.name}`} actions={<RemoveTable tap={tap} onChange={onChange} />}>
      <div className="space-y-4 p-5 text-sm">
        {publication?.error ? (
          <Notice tone="bad" title={publication.error}>
            No rows were loaded. Remove the table, then publish the file again.
          </Notice>
        ) : (
          publication && <Progress publication={publication} />
        )}
        {table && (
          <p className="flex flex-wrap gap-2">
            <TableLink label="Open the table" tableId={table.id} workspace={workspace} />
            {table.rejectedRows > 0 && (
              <TableLink
                label={`Show ${countOf(table.rejectedRows, 'rejected row')}`}
                tableId={table.id}
                workspace={workspace}
                tab="rejects"
              />
            )}
          </p>
        )}
      </div>
    </Card>
  );
}

function Progress({ publication }: { publication: Publication }) {
  const { status, bytesRead, bytesTotal, rows, rejectedRows } = publication;
  if (status === 'succeeded') {
    return (
      <p role="status">
        {countOf(rows, 'row')} loaded, {rejectedRows.toLocaleString('en')} rejected.
      </p>
    );
  }
  return (
    <div>
      <p role="status">
        {status === 'queued'
          ? 'The publication waits for a worker.'
          : `${formatBytes(bytesRead)} of ${formatBytes(bytesTotal)}, ${countOf(rows, 'row')}, ${rejectedRows.toLocaleString('en')} rejected.`}
      </p>
      <progress
        aria-label="Progress of the publication"
        max={Math.max(bytesTotal, 1)}
        value={bytesRead}
        className="mt-2 h-2 w-full overflow-hidden rounded-full"
      />
    </div>
  );
}

interface TableLinkProps {
  label: string;
  tableId: string;
  workspace: string;
  tab?: string;
}

function TableLink({ label, tableId, workspace, tab }: TableLinkProps) {
  return (
    <Link
      to="/w/$workspace/tables/$table"
      params={{ workspace, table: tableId }}
      search={tab ? { tab } : {}}
      className={buttonClasses(tab ? 'secondary' : 'primary')}
    >
      {label}
    </Link>
  );
}
