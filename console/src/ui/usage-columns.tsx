import type { Column } from './data-table.js';
import { TimeAgo } from './time-ago.js';

export const LAST_USED: Column<{ lastUsedAt?: string | null }> = {
  title: 'Last used',
  className: 'whitespace-nowrap',
  cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'never'),
};

export const CREATED: Column<{ createdAt: string; createdByUser: { name?: string | null } }> = {
  title: 'Created',
  className: 'whitespace-nowrap text-muted',
  cell: ({ createdAt, createdByUser: { name } }) => (
    <>
      <TimeAgo at={createdAt} />
      {name && ` by ${name}`}
    </>
  ),
};
