/** Returns undefined if the body or the variables contain no file. */
export function multipartRequestFor(path: string, body: object): FormData | undefined {
  return path === '/graphql' ? graphqlFormOf(body) : formOf(body);
}

/** The form has the file, and the other fields as JSON in the part `data`. */
function formOf(body: object): FormData | undefined {
  const { file, ...data } = body as { file?: unknown };
  if (!(file instanceof File)) return undefined;
  const form = new FormData();
  form.set('data', JSON.stringify(data));
  form.set('file', file);
  return form;
}

/** Follows the GraphQL multipart request specification. */
function graphqlFormOf({ query, variables = {} }: { query?: string; variables?: object }): FormData | undefined {
  const { file, ...others } = variables as { file?: unknown };
  if (!(file instanceof File)) return undefined;
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { ...others, file: null } }));
  form.set('map', '{"0": ["variables.file"]}');
  form.set('0', file);
  return form;
}
