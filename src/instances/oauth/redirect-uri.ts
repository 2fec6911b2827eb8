import type { Connector } from '../../catalog/model/connector.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { Workspace } from '../../tenancy/workspace.js';
import type { ConnectionContext } from '../credentials/connection-context.js';

/** Path of the page that vendors send browsers back to, before workspace and connector. */
export const OAUTH_CALLBACK_PATH = '/oauth/callback';

/** Of its own for every workspace and connector, so that a code that was given for one cannot be brought to another. */
export function callbackUri(baseUrl: string, workspaceSlug: string, connectorSlug: string): string {
  return `${baseUrl}${OAUTH_CALLBACK_PATH}/${workspaceSlug}/${connectorSlug}`;
}

/** The service's own page, or an address that is on the workspace's list to the letter. */
export async function resolveRedirectUri(
  { read, caller, connections }: ConnectionContext,
  { slug }: Lean<Connector>,
  given: string | null | undefined,
): Promise<string> {
  const workspace = (await read.byId(Workspace, caller.tenantId)) as Lean<Workspace>;
  if (!given) return callbackUri(connections.baseUrl(), workspace.slug, slug);
  if (given.startsWith(`${connections.baseUrl()}${OAUTH_CALLBACK_PATH}/`))
    throw new AppError('BAD_REQUEST', "redirectUri is this service's own page, which is used where none is given.");
  if ((workspace.oauthRedirectUris ?? []).includes(given)) return given;
  throw new AppError('BAD_REQUEST', "redirectUri is not on the workspace's list of addresses.");
}
