import { ConnectorRequest } from '../../src/catalog/requests/connector-request.js';
import type { Services } from '../../src/compose-services.js';
import { newId } from '../../src/kernel/ids.js';
import { createApiKey } from '../../src/tenancy/api-keys/write-api-key.js';
import type { Role } from '../../src/tenancy/role.js';
import { assignRoles } from '../../src/tenancy/roles/assign-roles.js';
import { User } from '../../src/tenancy/user.js';
import { WorkspaceTransaction } from '../../src/tenancy/workspace-transaction.js';
import { createWorkspace } from '../../src/tenancy/workspaces/create-workspace.js';

const ROWS = 500;

/** Returns an API key of the owner, and the id of one connector request. */
export async function fillWorkspace({ em, tables }: Services, slug: string): Promise<{ key: string; id: string }> {
  const id = newId();
  let key = '';
  await createWorkspace(em, tables, { slug, name: slug }, async (tx, roles) => {
    const owner = tx.create(User, { name: 'Bench', email: 'bench@example.com', status: 'ACTIVE' });
    await tx.em.flush();
    await assignRoles(tx, owner, [roles.get('owner') as Role]);
    const asOwner = new WorkspaceTransaction(tx, { ...tx.caller, userId: owner.id }, tx.requestId);
    key = (await createApiKey(asOwner, { name: 'bench', permissions: ['*'] })).key;
    tx.create(ConnectorRequest, { id, connectorName: 'The one', notes: 'Read repeatedly.' });
    for (let row = 1; row < ROWS; row++) tx.create(ConnectorRequest, { connectorName: `Number ${row}` });
  });
  return { key, id };
}
