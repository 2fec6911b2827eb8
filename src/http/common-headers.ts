import type { Context } from 'koa';

/**
 * Names and values alternate, as `writeHead` requires. `Vary` contains `Accept-Encoding` because of
 * `compressResponses`.
 */
export function commonHeaders(
  { state }: Pick<Context, 'state'>,
  { Vary, ...cors }: Readonly<Record<string, string>> = {},
): string[] {
  return [
    ...['X-Request-ID', state.requestId as string, 'X-Content-Type-Options', 'nosniff'],
    ...['Vary', Vary ? `Accept-Encoding, ${Vary}` : 'Accept-Encoding'],
    ...Object.entries(cors).flat(),
  ];
}
