import { anArtifact, PEOPLE_CSV } from '../artifacts/artifact-requests.js';
import type { Client } from '../service/service.js';
import type { AuditedChange } from './audited-connections.js';

export function auditedArtifactChanges(owner: Client): Record<string, AuditedChange> {
  const ofOne = (query: string): AuditedChange['prepare'] => {
    return async () => ({ query, variables: { id: (await anArtifact(owner)).id } });
  };
  return {
    uploadArtifact: {
      ...{ action: 'artifact.uploaded', objectType: 'Artifact', hasUnknownObjectId: true },
      details: { fileName: ' Acme ', fileType: 'csv', fileSize: Buffer.byteLength(PEOPLE_CSV) },
      prepare: async () => ({
        query: 'mutation ($file: Upload!) { uploadArtifact(file: $file, fileName: " Acme ") { artifact { id } } }',
        variables: { file: new File([PEOPLE_CSV], 'people.csv') },
      }),
    },
    runArtifactSchemaInference: {
      ...{ action: 'artifact.inferred', objectType: 'Artifact', details: { model: 'rules/3' } },
      prepare: ofOne('mutation ($id: Base62Id!) { runArtifactSchemaInference(artifactId: $id) { artifact { id } } }'),
    },
    updateArtifact: {
      ...{ action: 'artifact.updated', objectType: 'Artifact', details: { path: '/moved' } },
      prepare: ofOne('mutation ($id: Base62Id!) { updateArtifact(artifactId: $id, path: "/moved") { id } }'),
    },
    deleteArtifact: {
      ...{ action: 'artifact.deleted', objectType: 'Artifact', details: null },
      prepare: ofOne('mutation ($id: Base62Id!) { deleteArtifact(artifactId: $id) }'),
    },
  };
}
