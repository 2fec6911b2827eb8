import type { IncomingMessage } from 'node:http';
import { AppError } from '../../kernel/errors.js';

/** A DNS label (RFC 1123), because every slug can be a subdomain. */
export const WORKSPACE_SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the header `X-Tenant` or, without this header, the label before the base domain in `Host`. Accepts only the
 * canonical form. With any other form, a proxy and the service could disagree about the workspace. Examples of other
 * forms are a host with upper case, a trailing dot or percent-encoding, and a repeated header.
 */
export function readWorkspaceSlug(request: IncomingMessage, baseDomain: string): string | undefined {
  const tenant = singleHeader(request, 'x-tenant');
  const host = singleHeader(request, 'host');
  if (tenant !== undefined) {
    if (WORKSPACE_SLUG.test(tenant)) return tenant;
    throw new AppError('BAD_REQUEST', 'X-Tenant must be the slug of a workspace.');
  }
  return host === undefined ? undefined : labelOf(host, baseDomain);
}

function labelOf(host: string, baseDomain: string): string | undefined {
  const name = host.replace(/:\d{1,5}$/, '');
  const lenient = decodeDots(name.toLowerCase()).replace(/\.+$/, '');
  if (!lenient.endsWith(`.${baseDomain}`)) return undefined;
  const label = name.slice(0, -baseDomain.length - 1);
  if (name === `${label}.${baseDomain}` && WORKSPACE_SLUG.test(label)) return label;
  throw new AppError('BAD_REQUEST', `The host must be WORKSPACE.${baseDomain}, in lower case.`);
}

function decodeDots(name: string): string {
  return name.replaceAll('%2e', '.');
}

/** Reads `rawHeaders`, because Node joins or drops repeated headers in `headers`. */
function singleHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  if (values.length > 1) throw new AppError('BAD_REQUEST', `The header ${name} is given more than once.`);
  return values[0];
}
