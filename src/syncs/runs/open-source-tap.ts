import { prepareTap } from '../reading/prepare-tap.js';
import { readPages } from '../reading/read-pages.js';
import { rootScopes } from '../reading/root-scopes.js';
import type { TapOpener } from '../reading/tap-opener.js';
import { toTapReadError } from '../responses/to-tap-read-error.js';
import type { OpenTap, TapToOpen } from './sync-services.js';

/** Opens a tap of a source over HTTP. Throws `TapReadError`, or errors of the database and of the secrets. */
export async function openSourceTap(
  opener: Pick<TapOpener, 'open'>,
  tap: TapToOpen,
  signal: AbortSignal,
): Promise<OpenTap> {
  const source = { ...(await opener.open(tap)), onRequest: tap.onRequest };
  const prepared = await prepareTap(source, tap.tap, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw toTapReadError(error);
  });
  const { connector } = source.call.connection;
  return {
    rootScopes: () => rootScopes(connector.traversal, prepared),
    readPages: (slice, from, stop) => readPages(source, { ...prepared, ...slice }, from, stop),
  };
}
