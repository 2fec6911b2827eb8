declare module 'negotiator' {
  /** Reads the Accept headers of a request (RFC 9110, section 12.5). */
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string | string[] | undefined>> });
    /**
     * The coding with the highest weight. If several codings have this weight, the first of these codings in
     * `preferred`.
     */
    encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
  }
}
