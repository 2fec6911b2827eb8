import type { Context } from 'koa';

/**
 * Headers of all responses, merged with the headers of CORS. Names and values alternate, as `writeHead` accepts them.
 * `Vary` has `Accept-Encoding` because of `compressResponses`.
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
