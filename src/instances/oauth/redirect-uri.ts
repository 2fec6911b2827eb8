import type { Connector } from '../../catalog/model/connector.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { Workspace } from '../../tenancy/workspace.js';
import type { ConnectionContext } from '../credentials/connection-context.js';

/** The slugs of the workspace and of the connector follow this path. */
export const OAUTH_CALLBACK_PATH = '/oauth/callback';

/**
 * Each connector of each workspace has its own URI, so that a code for one connector cannot be redeemed for another.
 */
export function callbackUri(baseUrl: string, workspaceSlug: string, connectorSlug: string): string {
  return `${baseUrl}${OAUTH_CALLBACK_PATH}/${workspaceSlug}/${connectorSlug}`;
}

/**
 * Without a requested URI, returns the URI of the callback page. Throws BAD_REQUEST if `oauthRedirectUris` of the
 * workspace does not contain the requested URI.
 */
export async function resolveRedirectUri(
  { read, caller, connections }: ConnectionContext,
  { slug }: Lean<Connector>,
  given: string | null | undefined,
): Promise<string> {
  const workspace = (await read.byId(Workspace, caller.tenantId)) as Lean<Workspace>;
  if (!given) return callbackUri(connections.baseUrl(), workspace.slug, slug);
  if (given.startsWith(`${connections.baseUrl()}${OAUTH_CALLBACK_PATH}/`))
    throw new AppError(
      'BAD_REQUEST',
      'redirectUri must not be the callback page of this service. Omit redirectUri to use that page.',
    );
  if ((workspace.oauthRedirectUris ?? []).includes(given)) return given;
  throw new AppError(
    'BAD_REQUEST',
    "redirectUri is not on the workspace's list of redirect URIs. First add it to oauthRedirectUris of the workspace.",
  );
}
