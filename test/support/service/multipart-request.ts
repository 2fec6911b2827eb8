/** What is sent to an address where a file is among the fields of a body, or the variables of a question. Undefined where there is none. */
export function multipartRequestFor(path: string, body: object): FormData | undefined {
  return path === '/graphql' ? graphqlFormOf(body) : formOf(body);
}

/** A body with a file as what the REST interface takes: its other fields as JSON in the part `data`. Undefined where there is no file. */
function formOf(body: object): FormData | undefined {
  const { file, ...data } = body as { file?: unknown };
  if (!(file instanceof File)) return undefined;
  const form = new FormData();
  form.set('data', JSON.stringify(data));
  form.set('file', file);
  return form;
}

/** A question with a file by the GraphQL multipart request specification. Undefined where there is no file. */
function graphqlFormOf({ query, variables = {} }: { query?: string; variables?: object }): FormData | undefined {
  const { file, ...others } = variables as { file?: unknown };
  if (!(file instanceof File)) return undefined;
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { ...others, file: null } }));
  form.set('map', '{"0": ["variables.file"]}');
  form.set('0', file);
  return form;
}
