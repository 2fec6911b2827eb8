import { decodeId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { queryField } from '../service/callers.js';
import type { Client, Reply, TestService } from '../service/service.js';

export const UPLOAD_PATH = '/api/artifacts/upload-artifact';

interface UploadedFile {
  /** Name of the part. */
  name?: string;
  content?: string | Uint8Array;
  /** Of the `data` part, as JSON where it is an object. */
  data?: object | string;
}

/** A form as the endpoint wants it; each part may be left out by `undefined`. */
export function anUploadForm({ name = 'people.csv', content = PEOPLE_CSV, data = {} }: UploadedFile = {}): FormData {
  const form = new FormData();
  form.set('data', typeof data === 'string' ? data : JSON.stringify(data));
  form.set('file', new Blob([content as never]), name);
  return form;
}

export const PEOPLE_CSV = 'id,name,born\n1,Ada,1815-12-10\n2,Grace,1906-12-09\n3,Alan,1912-06-23\n';

export function upload(client: Client, file: UploadedFile = {}, headers: Record<string, string> = {}): Promise<Reply> {
  return client.request(UPLOAD_PATH, { method: 'POST', body: anUploadForm(file), headers });
}

/** The artifact of an upload that goes well. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into any reply
export async function anArtifact(client: Client, file: UploadedFile = {}): Promise<any> {
  const { status, text, body } = await upload(client, file);
  if (status !== 200) throw new Error(text);
  return body.data.artifact;
}

/** What is in the table, whatever anybody may see of it. */
export function artifactRows(service: TestService): Promise<Record<string, unknown>[]> {
  return queryAsOwner(service, 'select * from artifact order by created_at');
}

/** A workspace tap that was published from the file; publishing itself is another matter. */
export async function publishedTap(service: TestService, artifact: { id: string; createdBy: string }): Promise<void> {
  await queryAsOwner(
    service,
    `insert into tenant_connector_tap (id, tenant_id, created_at, created_by, updated_at, updated_by, attributed_artifact_id, name, enabled, table_name)
     select gen_random_uuid(), tenant_id, now(), created_by, now(), created_by, id, 'published', true, 'published_' || left(id::text, 8)
     from artifact where id = $1`,
    [decodeId(artifact.id)],
  );
}

export function runInference(client: Client, artifactId: string): Promise<Reply> {
  return client.post('/api/artifacts/run-artifact-schema-inference', { artifactId });
}

/** The state of a file as far as inference goes, over GraphQL, which shows all of it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
export function inferenceOf(client: Client, artifactId: string): Promise<any> {
  const question = `query ($id: Base62Id!) { artifact(artifactId: $id) {
    schemaInferenceStatus dataSchema inferenceError { code message }
    inference { model tokenInputCount tokenOutputCount columnMetadata { fieldPath confidence } }
  } }`;
  return queryField(client, question, { id: artifactId });
}

/** Of what an inference or an upload says of a file: the types of its columns by their names. */
export function columnTypesOf({ dataSchema }: { dataSchema: { fields: { name: string; type: string }[] } }): object {
  return Object.fromEntries(dataSchema.fields.map(({ name, type }) => [name, type]));
}
