import { anArtifact } from '../artifacts/artifact-requests.js';
import { anArchive } from '../artifacts/office-files.js';
import type { Client } from '../service/service.js';
import type { OperationRequest } from './connection-calls.js';

type Calls = (path: string) => Promise<OperationRequest[]>;

/** Maps each operation to successful calls. Each call creates the files that it changes or deletes. */
export function artifactRequests(owner: Client): Record<string, Calls> {
  const at = (path: string, { id }: { id: string }): string => path.replace('{artifactId}', id);
  const anArchived = () => anArtifact(owner, { name: 'all.zip', content: anArchive({ 'a.csv': 'a' }) });
  const infer = (artifactId: string) => owner.post('/api/artifacts/run-artifact-schema-inference', { artifactId });

  return {
    uploadArtifact: async (path) => [
      { address: path, body: { file: new File(['id,born\n1,1815-12-10\n'], 'people.csv') } },
      { address: path, body: { path: '/archives', file: new File([anArchive({ a: 'b' }) as never], 'all.zip') } },
    ],
    runArtifactSchemaInference: async (path) => {
      const [csv, archive] = [await anArtifact(owner), await anArchived()];
      return [csv, archive].map(({ id: artifactId }) => ({ address: path, body: { artifactId } }));
    },
    artifact: async (path) => {
      const inferred = await anArtifact(owner);
      await infer(inferred.id);
      return [inferred, await anArtifact(owner), await anArchived()].map((one) => ({ address: at(path, one) }));
    },
    artifacts: async (path) =>
      ['', '?limit=2&offset=1', '?path=/', '?path=/none'].map((query) => ({ address: path + query })),
    updateArtifact: async (path) => {
      const address = at(path, await anArtifact(owner));
      return [{ path: '/moved' }, { fileName: 'renamed.csv', path: null }].map((body) => ({ address, body }));
    },
    deleteArtifact: async (path) => [{ address: at(path, await anArtifact(owner)) }],
  };
}
