/** One endpoint. The row says what the operation document and the schema do not: address, prose and example. */
export interface Route {
  /** Name of the GraphQL operation in `operations/`, and the OpenAPI operationId. */
  readonly operation: string;
  readonly method: 'get';
  /** OpenAPI template; its parameters, like those of the query, are the operation's variables. */
  readonly path: string;
  /** Answers without a bearer, the same for everybody; may be cached and carries an ETag. */
  readonly public?: true;
  /** Beyond the interface document; shown under the tag `Extensions`. */
  readonly extension?: true;
  readonly tag: 'Vendors' | 'Connectors';
  readonly summary: string;
  readonly description: string;
  /** Sentence of the 404, where the operation may find nothing. */
  readonly missing?: string;
  /** Answers one page: `data` is `{ items, limit, offset, total }`, with links to the other pages. */
  readonly paged?: true;
  /** A value of `data`, shortened to what a reader needs. */
  readonly example: unknown;
}
