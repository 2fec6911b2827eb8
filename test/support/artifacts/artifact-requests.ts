import { decodeId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { queryField } from '../service/callers.js';
import type { Client, Reply, TestService } from '../service/service.js';

export const UPLOAD_PATH = '/api/artifacts/upload-artifact';

interface UploadedFile {
  /** File name. */
  name?: string;
  content?: string | Uint8Array;
  /** Content of the `data` part. An object is sent as JSON. */
  data?: object | string;
}

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

// biome-ignore lint/suspicious/noExplicitAny: responses have any shape
export async function anArtifact(client: Client, file: UploadedFile = {}): Promise<any> {
  const { status, text, body } = await upload(client, file);
  if (status !== 200) throw new Error(text);
  return body.data.artifact;
}

export function artifactRows(service: TestService): Promise<Record<string, unknown>[]> {
  return queryAsOwner(service, 'select * from artifact order by created_at');
}

/** Inserts a workspace tap of the artifact without loading the file. */
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

/** Uses GraphQL, because REST does not return all of these fields. */
// biome-ignore lint/suspicious/noExplicitAny: responses have any shape
export function inferenceOf(client: Client, artifactId: string): Promise<any> {
  const query = `query ($id: Base62Id!) { artifact(artifactId: $id) {
    schemaInferenceStatus dataSchema inferenceError { code message }
    inference { model tokenInputCount tokenOutputCount columnMetadata { fieldPath confidence doubts } }
  } }`;
  return queryField(client, query, { id: artifactId });
}

export function columnTypesOf({ dataSchema }: { dataSchema: { fields: { name: string; type: string }[] } }): object {
  return Object.fromEntries(dataSchema.fields.map(({ name, type }) => [name, type]));
}
