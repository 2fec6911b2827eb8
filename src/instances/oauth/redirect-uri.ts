import type { Connector } from '../../catalog/model/connector.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { Workspace } from '../../tenancy/workspace.js';
import type { ConnectionContext } from '../credentials/connection-context.js';

/** Path of the callback page. The slugs of the workspace and of the connector follow. */
export const OAUTH_CALLBACK_PATH = '/oauth/callback';

/**
 * Returns the URI of the callback page. The URI is unique per workspace and connector, so that a code for one of them
 * cannot be redeemed for another.
 */
export function callbackUri(baseUrl: string, workspaceSlug: string, connectorSlug: string): string {
  return `${baseUrl}${OAUTH_CALLBACK_PATH}/${workspaceSlug}/${connectorSlug}`;
}

/**
 * Returns the requested URI if the workspace's list contains exactly this URI. Without a requested URI, returns the URI
 * of the callback page. Throws BAD_REQUEST for any other URI.
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
